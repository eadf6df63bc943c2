import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './BuyerForm.module.css';

/** Two columns if the width allows it. */
export function FieldPair({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid
      cols={{ base: 1, sm: 2 }}
      className={`${classes.pair} ${classes.aligned}`}
      spacing="sm"
      verticalSpacing={0}
    >
      {children}
    </SimpleGrid>
  );
}
