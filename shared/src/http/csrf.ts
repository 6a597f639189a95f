/** For changes by the client, and in the server's reply with somebody's own profile. */
export const CSRF_HEADER = 'X-CSRF-Token'
