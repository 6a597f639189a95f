import { at, type Screen } from './screen.ts'

export const adminScreens: Screen[] = [
  { name: 'admin-dashboard', sheet: 'admin', path: at('/admin/dashboard'), roles: ['admin'] },
  { name: 'admin-users', sheet: 'admin', path: at('/admin/users'), roles: ['admin'] },
  { name: 'admin-settings', sheet: 'admin', path: at('/admin/settings'), roles: ['admin'] },
  { name: 'admin-model', sheet: 'admin', path: at('/admin/settings/model'), roles: ['admin'] },
  { name: 'admin-lms', sheet: 'admin', path: at('/admin/lms'), roles: ['admin'] },
  {
    name: 'admin-lms-new-link',
    sheet: 'admin',
    path: at('/admin/lms/new?lms=moodle'),
    roles: ['admin'],
    empty: { role: 'admin', path: at('/admin/lms/new') },
  },
  {
    name: 'admin-lms-new-values',
    sheet: 'admin',
    path: at('/admin/lms/new?lms=canvas&way=values'),
    roles: ['admin'],
  },
  {
    name: 'admin-lms-one',
    sheet: 'admin',
    path: ({ platformId }) => `/admin/lms/${platformId}`,
    roles: ['admin'],
    empty: { role: 'admin', path: ({ waitingPlatformId }) => `/admin/lms/${waitingPlatformId}` },
  },
  { name: 'admin-audit', sheet: 'admin', path: at('/admin/audit'), roles: ['admin'] },
  {
    name: 'test-error-boundaries',
    sheet: 'admin',
    path: at('/test/error-boundaries'),
    roles: ['admin'],
    loads: false,
  },
  { name: 'test-websocket', sheet: 'admin', path: at('/test/websocket'), roles: ['admin'], loads: false },
]
