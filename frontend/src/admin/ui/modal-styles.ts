/** Styles of every dialog, loaded with the first one. */
import '@mantine/core/styles/ScrollArea.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import './modal.css';

/** The header of a dialog is not the banner of the page. */
export const NO_BANNER = { header: { role: 'presentation' } } as const;
