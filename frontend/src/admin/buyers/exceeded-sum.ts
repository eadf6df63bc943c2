import { ApiError } from '../../app/api';
import { useDialogs } from '../dialogs/dialogs';

/**
 * For what makes a buyer active: where the sum of the weights does not allow it, opens the editor in which room can be made.
 */
export function useExceededSum(): (buyerId: string, error: unknown) => void {
  const dialogs = useDialogs();
  return (buyerId, error) => {
    if (error instanceof ApiError && error.code === 'probability_exceeded')
      dialogs.open('weights', { including: buyerId });
  };
}
