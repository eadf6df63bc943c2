import { Component, type ReactNode } from 'react';

interface Props {
  /** What is shown then; nothing by default. The rest of the page stays, with all that was typed there. */
  readonly fallback?: (error: unknown) => ReactNode;
  readonly onFailed?: (error: unknown) => void;
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

  override componentDidCatch(error: unknown) {
    this.props.onFailed?.(error);
  }

  override render() {
    const { failure } = this.state;
    return failure === undefined ? this.props.children : this.props.fallback?.(failure.error);
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
