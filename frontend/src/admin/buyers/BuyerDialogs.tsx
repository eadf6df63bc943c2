import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { SECRET_SETTINGS } from '#shared/channels/channels';
import { isActiveBuyer, loadBuyer, useBuyers } from '../data/buyers';
import { useApiMutation } from '../data/mutation';
import { usePinBuyer } from '../data/pinned-buyers';
import { useSourceNames } from '../data/sources';
import { type DialogInput, useDialogs } from '../dialogs/dialogs';
import { useNotifications } from '../notifications';

import { buyerPath } from '../ui/BuyerLink';
import { useEdit } from '../ui/edit';
import { FormModal } from '../ui/FormModal';
import { showFieldErrors } from '../ui/form';
import { BuyerForm } from './BuyerForm';
import { validateBuyer } from './buyer-validation';
import {
  BUYER_LABELS,
  type BuyerValues,
  buyerFieldsOf,
  EMPTY_BUYER,
  newBuyerOf,
  valuesOf,
} from './buyer-values';
import { useAgreement } from './exclusive';
import { listedText } from './group-summaries';
import { hoursText } from './hours';
import { useNewBuyerDefaults } from './new-buyer';
import { suggestedBuyerId } from './suggestions';
import { checkTypedProbability, weightsOf } from './weights';

export function AddBuyerDialog({ close }: DialogInput<'add-buyer'>) {
  const { data: buyers = [] } = useBuyers();
  const create = useApiMutation('createBuyer', { quiet: true });
  const dialogs = useDialogs();
  const pinBuyer = usePinBuyer();
  const notifications = useNotifications();
  const agree = useAgreement();
  const weights = weightsOf(buyers.filter(isActiveBuyer), undefined);
  const form = useForm<BuyerValues>({
    initialValues: EMPTY_BUYER,
    validate: (values) => validateBuyer(values, weights, EMPTY_BUYER),
    onValuesChange: (values, before) => {
      // Suggests an ID from the address until one is typed.
      if (
        values.buyer_email !== before.buyer_email &&
        before.buyer_id === suggestedBuyerId(before.buyer_email, buyers)
      )
        form.setFieldValue('buyer_id', suggestedBuyerId(values.buyer_email, buyers));
    },
  });
  useNewBuyerDefaults(form);

  const save = async (values: BuyerValues) => {
    const exclusive = checkTypedProbability(values.probability, weights) === 'exclusive';
    if (exclusive && !(await agree(values.buyer_id.trim()))) return;
    create.mutate(
      { body: newBuyerOf(values, exclusive) },
      {
        onSuccess: ({ buyer, message }) => {
          pinBuyer(buyer.buyer_id);
          notifications.success(message, {
            label: `Create order for ${buyer.buyer_id}`,
            run: () => dialogs.open('create-order', { buyerId: buyer.buyer_id }),
          });
          close();
        },
        onError: (error) => showFieldErrors(form, error),
      },
    );
  };

  return (
    <FormModal
      title="Add New Buyer"
      size="xl"
      close={close}
      form={form}
      submit={(values) => void save(values)}
      write={create}
      action="Add Buyer"
      sticky
    >
      <BuyerForm form={form} weights={weights} />
    </FormModal>
  );
}

export function EditBuyerDialog({ buyer, close }: DialogInput<'edit-buyer'>) {
  const { data: buyers = [] } = useBuyers();
  const update = useApiMutation('updateBuyer');
  const [pathname, navigate] = useLocation();
  const agree = useAgreement();
  const weights = weightsOf(buyers.filter(isActiveBuyer), buyer);
  const names = useSourceNames();
  const [stored] = useState(() => valuesOf(buyer));
  const form = useForm<BuyerValues>({
    initialValues: stored,
    validate: (values) => validateBuyer(values, weights, stored),
  });

  const edit = useEdit({
    form,
    load: async () => valuesOf(await loadBuyer(buyer.buyer_id)),
    labels: BUYER_LABELS,
    secrets: SECRET_SETTINGS.map(({ name }) => name),
    textOf: (name, values) =>
      name === 'schedule'
        ? hoursText(values.schedule)
        : name === 'sources_allowed' || name === 'sources_excluded'
          ? listedText(values[name], names)
          : undefined,
  });

  const save = async (values: BuyerValues) => {
    const exclusive = checkTypedProbability(values.probability, weights) === 'exclusive';
    if (exclusive && !(await agree(buyer.buyer_id))) return;
    const newId = values.buyer_id.trim();
    const body = {
      ...edit.changes(buyerFieldsOf),
      ...(exclusive && { confirm_exclusive: true }),
      ...(newId !== buyer.buyer_id && { new_buyer_id: newId }),
    };
    update.mutate(
      { params: { buyerId: buyer.buyer_id }, body },
      {
        onSuccess: () => {
          close();
          // The page of a renamed buyer has another address.
          const [, , screen, id, section] = pathname.split('/');
          if (screen === 'buyers' && id === buyer.buyer_id)
            navigate(buyerPath(newId, section), { replace: true });
        },
        onError: edit.refused,
      },
    );
  };

  return (
    <FormModal
      title={`Edit Buyer ${buyer.buyer_id}`}
      size="xl"
      close={close}
      form={form}
      submit={(values) => void save(values)}
      write={update}
      edit={edit}
      action="Save Changes"
      sticky
    >
      <BuyerForm form={form} weights={weights} buyer={buyer} unsaved={form.isDirty() && !update.isSuccess} />
    </FormModal>
  );
}
