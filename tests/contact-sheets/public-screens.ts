import { at, type Screen } from './screen.ts'

export const publicScreens: Screen[] = [
  { name: 'landing', sheet: 'public', path: at('/'), roles: ['visitor', 'instructor'], loads: false },
  { name: 'login', sheet: 'public', path: at('/auth/login'), roles: ['visitor'], loads: false },
  { name: 'register', sheet: 'public', path: at('/auth/register'), roles: ['visitor'], loads: false },
  {
    name: 'forgot-password',
    sheet: 'public',
    path: at('/auth/forgot-password'),
    roles: ['visitor'],
    loads: false,
  },
  {
    name: 'reset-password',
    sheet: 'public',
    path: ({ links }) => `/auth/reset-password?token=${links.reset}&email=newstudent%40school.example`,
    roles: ['visitor'],
    loads: false,
    empty: { role: 'visitor', path: at('/auth/reset-password') },
  },
  {
    name: 'confirm-email',
    sheet: 'public',
    path: ({ links }) => `/auth/confirm-email?token=${links.confirm}`,
    roles: ['visitor'],
    loads: false,
    empty: { role: 'visitor', path: at('/auth/confirm-email') },
  },
  {
    name: 'accept-invitation',
    sheet: 'public',
    path: ({ links }) => `/auth/accept-invitation?token=${links.invitation}`,
    roles: ['visitor'],
    loads: false,
    empty: { role: 'visitor', path: at('/auth/accept-invitation') },
  },
  {
    name: 'account-deleted',
    sheet: 'public',
    path: at('/auth/account-deleted'),
    roles: ['visitor'],
    loads: false,
  },
  { name: 'terms', sheet: 'public', path: at('/terms'), roles: ['visitor'], loads: false },
  { name: 'privacy', sheet: 'public', path: at('/privacy'), roles: ['visitor'], loads: false },
  { name: 'not-found', sheet: 'public', path: at('/no/such/page'), roles: ['visitor'], loads: false },
]
