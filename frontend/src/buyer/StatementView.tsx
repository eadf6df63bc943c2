import type { StatementLineRow, StatementOrderRow, StatementRow } from '#shared/contract/rows/statement';
import { EXPORT_FORMATS } from '#shared/rules/constants';
import { formatDate, formatDateTime, formatEuro, formatNumber } from '#shared/rules/formats';
import { fileUrl } from '../app/api';
import { AccountAnswer } from './AccountAnswer';
import { accountTexts } from './account-texts';
import { Figure } from './Figure';
import page from './page.module.css';
import classes from './StatementView.module.css';
import { useStatement } from './use-account';

const text = accountTexts.statement;

export function StatementView({ token, buyerId }: { readonly token: string; readonly buyerId: string }) {
  const query = useStatement(token);
  return (
    <AccountAnswer query={query}>
      {(statement) => (
        <div className={classes.statement} data-statement>
          <h2 className={classes.printedTitle}>{text.titleOf(buyerId)}</h2>
          <Summary statement={statement} />
          {statement.orders.map((order) => (
            <OrderLines key={order.buyer_order_number} order={order} />
          ))}
          {statement.owed.length > 0 && <Owed owed={statement.owed} />}
          <p className={page.note}>
            {text.explained} {text.asOf(formatDateTime(new Date(query.dataUpdatedAt)))}
          </p>
          <p data-screen className={classes.tools}>
            {EXPORT_FORMATS.map((format) => (
              <a
                key={format}
                className={page.tool}
                href={fileUrl('exportStatement', { params: { token, format } })}
                download
                aria-label={text.download(format.toUpperCase())}
              >
                {format.toUpperCase()}
              </a>
            ))}
            <button type="button" className={page.tool} onClick={print}>
              {text.print}
            </button>
          </p>
        </div>
      )}
    </AccountAnswer>
  );
}

/** Without the list. */
function print() {
  const { dataset } = document.documentElement;
  dataset.print = 'statement';
  window.addEventListener('afterprint', () => delete dataset.print, { once: true });
  window.print();
}

function Summary({ statement: { orders, sum, balance, owed } }: { readonly statement: StatementRow }) {
  const hasPrices = orders.some(({ price_per_lead: price }) => price !== null);
  return (
    <dl className={classes.summary}>
      {hasPrices && <Figure name={text.sumOfAll}>{formatEuro(sum)}</Figure>}
      <Figure name={text.owed}>{formatNumber(owed.length)}</Figure>
      {balance > 0 && <Figure name={text.balance}>{formatNumber(balance)}</Figure>}
    </dl>
  );
}

/** On a phone each month is a card, by CSS. */
function OrderLines({ order }: { readonly order: StatementOrderRow }) {
  const title = text.order(order.buyer_order_number);
  return (
    <section className={classes.order} aria-label={title}>
      <h3>
        {title}{' '}
        <small>
          {[
            text.opened(formatDate(new Date(order.order_created_at))),
            order.price_per_lead === null ? text.noPrice : text.price(formatEuro(order.price_per_lead)),
            ...(order.owed > 0 ? [text.owedByOrder(order.owed)] : []),
            ...(order.deleted ? [text.deleted] : []),
          ].join(' · ')}
        </small>
      </h3>
      {order.lines.length === 0 ? (
        <p className={page.note}>{text.noLines}</p>
      ) : (
        <table className={classes.lines}>
          <thead>
            <tr>
              <th scope="col">{text.month}</th>
              {FIGURES.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {order.lines.map((line) => (
              <Line
                key={line.month}
                title={line.month === null ? text.noMonth : text.monthOf(line.month)}
                line={line}
              />
            ))}
          </tbody>
          {order.lines.length > 1 && (
            <tfoot>
              <Line title={text.total} line={order.total} />
            </tfoot>
          )}
        </table>
      )}
    </section>
  );
}

type Figures = Omit<StatementLineRow, 'month'>;

const FIGURES: readonly { readonly name: string; readonly value: (figures: Figures) => string }[] = [
  { name: text.delivered, value: ({ delivered }) => formatNumber(delivered) },
  { name: text.claimed, value: ({ claimed }) => formatNumber(claimed) },
  { name: text.approved, value: ({ approved }) => formatNumber(approved) },
  { name: text.rejected, value: ({ rejected }) => formatNumber(rejected) },
  { name: text.replaced, value: ({ replaced }) => formatNumber(replaced) },
  { name: text.sum, value: ({ sum }) => (sum === null ? '–' : formatEuro(sum)) },
];

function Line({ title, line }: { readonly title: string; readonly line: Figures }) {
  return (
    <tr>
      <th scope="row">{title}</th>
      {FIGURES.map(({ name, value }) => (
        <td key={name} data-name={name}>
          {value(line)}
        </td>
      ))}
    </tr>
  );
}

function Owed({ owed }: { readonly owed: StatementRow['owed'] }) {
  return (
    <section className={classes.order} aria-label={text.owed}>
      <h3>{text.owed}</h3>
      <ol className={classes.owed}>
        {owed.map(({ position, claim_id: claim, since, days }) => (
          <li key={position}>{text.owedSince(claim, formatDate(new Date(since)), days)}</li>
        ))}
      </ol>
    </section>
  );
}
