import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './BuyerForm.module.css';

/** Inputs side by side where there is room for two. */
export function Pair({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} className={classes.pair} spacing="sm">
      {children}
    </SimpleGrid>
  );
}
