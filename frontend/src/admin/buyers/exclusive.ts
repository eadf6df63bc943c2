import { useDialogs } from '../dialogs/dialogs';
import { CONFIRM } from '../texts';

/** Asks before all other buyers are set to 0 %. */
export function useAgreement() {
  const dialogs = useDialogs();
  return (buyerId: string) =>
    dialogs.confirm({
      title: 'All leads to one buyer',
      text: CONFIRM.exclusive(buyerId),
      action: 'Set to 100%',
    });
}
