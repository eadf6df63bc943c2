import { Component, type ReactNode } from 'react';
import { CodeNotLoaded } from './lazy-component';

interface Props {
  readonly title: string;
  readonly action: string;
  /** If the page's code could not be loaded. */
  readonly notLoaded: ReactNode;
  readonly children: ReactNode;
}

interface SilentProps {
  readonly onFailed: (error: unknown) => void;
  readonly children: ReactNode;
}

interface State {
  readonly failure?: { readonly error: unknown };
}

export class ErrorBoundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error } };
  }

  override render() {
    const { children, notLoaded, title, action } = this.props;
    if (this.state.failure === undefined) return children;
    if (this.state.failure.error instanceof CodeNotLoaded) return notLoaded;
    return <Failure text={title} action={action} />;
  }
}

/** Not in a stylesheet, which may be what could not be loaded. */
const BUTTON = {
  minHeight: 40,
  marginTop: 12,
  padding: '0 16px',
  border: '1px solid currentColor',
  borderRadius: 8,
  background: 'none',
  color: 'inherit',
  font: 'inherit',
  cursor: 'pointer',
} as const;

export function Failure({ text, action }: { text: string; action: string }) {
  return (
    <div role="alert" style={{ padding: 32, textAlign: 'center', font: '14px / 1.5 var(--font)' }}>
      <p>{text}</p>
      <button type="button" style={BUTTON} onClick={() => window.location.reload()}>
        {action}
      </button>
    </div>
  );
}

/** The rest of the page stays, with all that was typed there. */
export class SilentErrorBoundary extends Component<SilentProps, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error } };
  }

  override componentDidCatch(error: unknown) {
    this.props.onFailed(error);
  }

  override render() {
    return this.state.failure === undefined ? this.props.children : null;
  }
}
