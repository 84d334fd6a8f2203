/** Line icons, drawn here so that nothing is fetched for them. */
const PATHS = {
  dashboard: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  online: 'M2.5 9.5a13.5 13.5 0 0 1 19 0M6 13a8.5 8.5 0 0 1 12 0M9.3 16.4a3.8 3.8 0 0 1 5.4 0M12 19.5h.01',
  users:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18.5 14.2a6.5 6.5 0 0 1 3 5.8',
  payments: 'M3 6h18v12H3zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM6.5 9.5v5M17.5 9.5v5',
  vouchers: 'M4 5h16v4.5a2.5 2.5 0 0 0 0 5V19H4v-4.5a2.5 2.5 0 0 0 0-5zM14 8v1.5M14 11.2v1.6M14 14.5V16',
  bundles: 'M12 3 3.5 7.5v9L12 21l8.5-4.5v-9zM3.5 7.5 12 12l8.5-4.5M12 12v9',
  sell: 'M4.5 9.5h15L18 20H6zM8.5 9.5 12 4l3.5 5.5M10 13v3.5M14 13v3.5',
  router: 'M4 13h16v6H4zM8 16h.01M11 16h.01M15 13V8M11 6.5a5.5 5.5 0 0 1 8 0M13 8.6a2.8 2.8 0 0 1 4 0',
  reports: 'M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6M20 16V6',
  sms: 'M4 5h16v11H9.5L5 20v-4H4zM8 9h8M8 12.2h5',
  webhooks:
    'M12 9.5a4 4 0 1 1 3.6-5.8M10 8.8 7 14.5M14 7l3 6M17.2 13.2A4 4 0 1 1 14 18.5M13.5 17H7.2M7.8 19.6A4 4 0 1 1 5.5 12',
  audit: 'M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h7M9 8h2.5',
  admins: 'M12 3l7.5 2.8v5.4c0 4.7-3.1 8-7.5 9.8-4.4-1.8-7.5-5.1-7.5-9.8V5.8zM9 11.8l2.2 2.2 4-4.2',
  settings:
    'M4 7h10M18 7h2M4 17h2M10 17h10M16 9.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM8 19.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0',
  more: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20.5 20.5 16 16',
  back: 'M15 5l-7 7 7 7',
  plus: 'M12 5v14M5 12h14',
  warning: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.3h.01',
  good: 'M5 12.5l4.5 4.5L19 7.5',
  print: 'M7 9V3.5h10V9M7 17H4V9h16v8h-3M7 14h10v6.5H7z',
  download: 'M12 4v11M7 10.5l5 5 5-5M4.5 20h15',
  logout: 'M10 4H5v16h5M14.5 8l4 4-4 4M18 12H9.5',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The gate. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M6 27V15.5a10 10 0 0 1 20 0V27" />
      <path class="thin" d="M11.2 18a6.8 6.8 0 0 1 9.6 0" />
      <circle cx="16" cy="22.8" r="2.2" />
    </svg>
  );
}
