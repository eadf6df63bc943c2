/** Apart from the descriptors, so that lists load without forms. */
export const CHANNEL_NAMES = {
  email: { id: 'email', flag: 'send_email', label: 'E-mail', badge: 'email' },
  heroleads: { id: 'heroleads', flag: 'use_heroleads_api', label: 'Lead broker', badge: 'HL' },
  trackbox: { id: 'trackbox', flag: 'use_trackbox_api', label: 'Tracking platform', badge: 'TB' },
  sellanylead: { id: 'sellanylead', flag: 'use_sellanylead_api', label: 'SellAnyLead', badge: 'SAL' },
  http: { id: 'http', flag: 'use_http_api', label: 'HTTP', badge: 'HTTP' },
} as const;

export const ALL_CHANNEL_NAMES = Object.values(CHANNEL_NAMES);
