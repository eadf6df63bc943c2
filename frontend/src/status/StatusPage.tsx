import { useQuery } from '@tanstack/react-query';
import { call } from '../app/api';
import { durationText, LATENCY_RANGE_TEXT } from '../app/latency-texts';
import classes from './status.module.css';

export function StatusPage() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) =>
      call('getStatus', {}, { fallbackText: 'The figures could not be loaded.', signal }),
  });
  return (
    <main className={`plain-page ${classes.page}`} aria-busy={data === undefined && error === null}>
      <title>Status</title>
      <meta name="robots" content="noindex, nofollow, noarchive" />
      <h1>Delivery times</h1>
      {data?.public === false && <p>This page is not public.</p>}
      {data?.public === true && (
        <>
          <p className={classes.muted}>
            Times from the arrival of a lead, by days in Berlin. Half of the leads took no longer than the
            median, 95% and 99% no longer than the other two. Times may be off by {data.error_percent}%. Steps
            with fewer than 50 leads are not shown.
          </p>
          {data.ranges.map(({ days, series }) => (
            <section key={days} aria-label={LATENCY_RANGE_TEXT[days]}>
              <h2>{LATENCY_RANGE_TEXT[days]}</h2>
              {series.length === 0 ? (
                <p>Not enough leads yet.</p>
              ) : (
                <table aria-label={LATENCY_RANGE_TEXT[days]}>
                  <thead>
                    <tr>
                      <th scope="col">Step</th>
                      <th scope="col">Median</th>
                      <th scope="col">95%</th>
                      <th scope="col">99%</th>
                    </tr>
                  </thead>
                  <tbody>
                    {series.map((one) => (
                      <tr key={one.step}>
                        <th scope="row">{one.step}</th>
                        <td>{durationText(one.p50)}</td>
                        <td>{durationText(one.p95)}</td>
                        <td>{durationText(one.p99)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              )}
            </section>
          ))}
        </>
      )}
      {data === undefined && error === null && <output className={classes.muted}>Loading...</output>}
      {data === undefined && error !== null && (
        <>
          <p role="alert">{error.message}</p>
          <button
            type="button"
            className={classes.button}
            disabled={isFetching}
            onClick={() => void refetch()}
          >
            Try again
          </button>
        </>
      )}
    </main>
  );
}
