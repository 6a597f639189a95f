export const pagesWithoutBar: readonly string[] = [
  '/',
  '/auth/login',
  '/auth/register',
  '/auth/forgot-password',
  '/auth/reset-password',
  '/auth/confirm-email',
  '/auth/accept-invitation',
  '/login',
  '/register',
]
