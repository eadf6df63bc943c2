import { Component, type ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly action: string;
  readonly children: ReactNode;
}

interface SilentProps {
  /** Tells it elsewhere; here nothing is shown any more. */
  readonly onFailed: () => void;
  readonly children: ReactNode;
}

/** Catches what a page throws (a bug, or a chunk that a new release has removed) and offers a way out. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div role="alert" style={{ padding: 32, textAlign: 'center', fontFamily: 'system-ui, sans-serif' }}>
        <p>{this.props.title}</p>
        <button type="button" onClick={() => window.location.reload()}>
          {this.props.action}
        </button>
      </div>
    );
  }
}

/** Catches what a part of a page throws, so that the rest, with all that was typed there, stays as it is. */
export class SilentErrorBoundary extends Component<SilentProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch() {
    this.props.onFailed();
  }

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
