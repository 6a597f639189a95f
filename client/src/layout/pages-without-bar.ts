/** The landing page and the forms on the way in have the whole screen to themselves. */
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
