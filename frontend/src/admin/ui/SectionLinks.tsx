import { Link } from 'wouter';
import classes from './SectionLinks.module.css';

interface Props {
  readonly label: string;
  readonly sections: readonly { readonly path: string; readonly title: string }[];
  /** The path of the shown section. */
  readonly shown: string;
  /** Kept from one section to the next. */
  readonly search?: string;
}

/** The sections of a page as tabs above its content. Each has its own address. */
export function SectionLinks({ label, sections, shown, search = '' }: Props) {
  return (
    <nav aria-label={label} className={classes.sections}>
      {sections.map(({ path, title }) => (
        <Link
          key={path}
          to={search === '' ? path : `${path}?${search}`}
          {...(path === shown && { 'aria-current': 'page' })}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}
