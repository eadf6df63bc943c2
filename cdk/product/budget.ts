import type { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { NO_ADDRESS_YET, type StageConfig } from '#cdk/config-schema';

const subscription = (address: string, notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
  notification: {
    notificationType,
    comparisonOperator: 'GREATER_THAN',
    threshold,
    thresholdType: 'PERCENTAGE',
  },
  subscribers: [{ subscriptionType: 'EMAIL', address }],
});

export function createBudget(stack: Stack, prefix: string, { monthlyBudget, alarmEmail }: StageConfig): void {
  if (monthlyBudget === undefined || alarmEmail === undefined || alarmEmail === NO_ADDRESS_YET) return;
  new CfnBudget(stack, 'Budget', {
    budget: {
      budgetName: prefix,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudget, unit: 'USD' },
    },
    notificationsWithSubscribers: [
      subscription(alarmEmail, 'FORECASTED', 100),
      subscription(alarmEmail, 'ACTUAL', 80),
    ],
  });
}
