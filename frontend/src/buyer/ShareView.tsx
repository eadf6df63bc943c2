import type { ShareOfDays } from '#shared/contract/schemas/leads-view';
import { AccountAnswer } from './AccountAnswer';
import { accountTexts } from './account-texts';
import { Figure } from './Figure';
import page from './page.module.css';
import classes from './ShareView.module.css';
import { useShare } from './use-account';

const text = accountTexts.share;

export function ShareView({ token }: { readonly token: string }) {
  return (
    <AccountAnswer query={useShare(token)}>
      {({ agreed_share: agreed, order, last_days: lastDays, as_of: asOf }) => (
        <div className={classes.share}>
          <p className={classes.agreed}>
            {text.agreed}: <strong>{text.percent(agreed)}</strong>
          </p>
          {order === null && lastDays === null ? (
            <p className={page.note}>{text.tooEarly}</p>
          ) : (
            <>
              <div className={classes.ranges}>
                {order && <Range title={text.order} days={order} />}
                {lastDays && <Range title={text.lastDays} days={lastDays} />}
              </div>
              <p className={page.note}>
                {text.explained} {text.asOf(asOf)}
              </p>
            </>
          )}
        </div>
      )}
    </AccountAnswer>
  );
}

function Range({ title, days }: { readonly title: string; readonly days: ShareOfDays }) {
  const missed = days.missed.reduce((sum, { leads }) => sum + leads, 0);
  return (
    <section className={classes.range} aria-label={title}>
      <h3>
        {title} <small>{accountTexts.days(days.from, days.to)}</small>
      </h3>
      <dl>
        <Figure name={text.entitled}>{text.leads(days.entitled)}</Figure>
        <Figure name={text.received}>{text.leads(days.received)}</Figure>
        <Figure name={text.distance}>{distanceText(days.distance)}</Figure>
        {days.received_share !== null && (
          <Figure name={text.receivedShare}>{text.percent(days.received_share)}</Figure>
        )}
      </dl>
      {days.by_hand > 0 && <p className={page.note}>{text.byHand(days.by_hand)}</p>}
      {missed > 0 && (
        <p>
          {text.missed(
            missed,
            days.missed.map(({ reason, leads }) => `${leads} ${text.reasons[reason]}`),
          )}
        </p>
      )}
    </section>
  );
}

function distanceText(distance: number): string {
  if (distance === 0) return text.even;
  return distance > 0 ? text.ahead(distance) : text.behind(-distance);
}
