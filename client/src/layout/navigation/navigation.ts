import type { Role } from '@assay/shared/users.ts'

/** The bar's items by role; only screens that exist. */
export const navigation: { label: string; to: string; roles: readonly Role[] }[] = [
  { label: 'Dashboard', to: '/dashboard', roles: ['instructor', 'admin'] },
  { label: 'Courses', to: '/courses', roles: ['instructor', 'admin'] },
  { label: 'Create Assignment', to: '/create-assignment', roles: ['instructor', 'admin'] },
  { label: 'My Courses', to: '/student/courses', roles: ['student'] },
  { label: 'Dashboard', to: '/student/dashboard', roles: ['student'] },
  { label: 'Admin Dashboard', to: '/admin/dashboard', roles: ['admin'] },
  { label: 'User Management', to: '/admin/users', roles: ['admin'] },
  { label: 'System Settings', to: '/admin/settings', roles: ['admin'] },
  { label: 'LMS', to: '/admin/lms', roles: ['admin'] },
  { label: 'Audit Log', to: '/admin/audit', roles: ['admin'] },
]
