/** Sent by the client with each change, and by the server with somebody's own profile. */
export const CSRF_HEADER = 'X-CSRF-Token'
