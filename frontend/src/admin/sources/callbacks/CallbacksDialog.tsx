import { useMay } from '../../data/rights';
import type { DialogInput } from '../../dialogs/dialogs';
import '@mantine/core/styles/Tabs.css';
import { Skeleton, Tabs } from '@mantine/core';
import { useState } from 'react';
import { useEndpoints } from '../../data/callbacks';
import { AppModal } from '../../ui/AppModal';
import { QueryResult } from '../../ui/states';
import { CallbackLog } from './CallbackLog';
import { EndpointsForm } from './EndpointsForm';

/** A source's callback endpoints, and the callbacks sent. */
export function CallbacksDialog({ source, close }: DialogInput<'callbacks'>) {
  const endpoints = useEndpoints(source.source_id);
  const may = useMay();
  const [dirty, setDirty] = useState(false);
  return (
    <AppModal title={`Callbacks of ${source.name}`} close={close} size="xl" dirty={dirty}>
      {!may('updateEndpoints') ? (
        <CallbackLog source={source} leave={close} />
      ) : (
        <Tabs defaultValue="settings">
          <Tabs.List mb="md">
            <Tabs.Tab value="settings">Settings</Tabs.Tab>
            <Tabs.Tab value="log">Log</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="settings">
            <QueryResult
              query={endpoints}
              skeleton={<Skeleton height={420} aria-label="Loading..." />}
              what="The callbacks"
            >
              {(stored) => (
                <EndpointsForm source={source} stored={stored} setDirty={setDirty} close={close} />
              )}
            </QueryResult>
          </Tabs.Panel>
          <Tabs.Panel value="log">
            <CallbackLog source={source} leave={close} />
          </Tabs.Panel>
        </Tabs>
      )}
    </AppModal>
  );
}
