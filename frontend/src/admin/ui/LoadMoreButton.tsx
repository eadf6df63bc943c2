import { Button } from '@mantine/core';

interface Props {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** Fetches the next page of a list; absent at its end. */
export function LoadMoreButton({ query }: Props) {
  return (
    query.hasNextPage && (
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        Load more
      </Button>
    )
  );
}
