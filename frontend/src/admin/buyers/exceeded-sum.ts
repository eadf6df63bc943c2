import { ApiError } from '../../app/api';
import { useDialogs } from '../dialogs/dialogs';

/**
 * Handles an action that would activate a buyer: if the sum of the weights does not allow it, opens the editor of the
 * weights.
 */
export function useExceededSum(): (buyerId: string, error: unknown) => void {
  const dialogs = useDialogs();
  return (buyerId, error) => {
    if (error instanceof ApiError && error.code === 'probability_exceeded')
      dialogs.open('weights', { including: buyerId });
  };
}
