/** With each change the client sends its CSRF token in this header. With somebody's own profile the server sends one for their session. */
export const CSRF_HEADER = 'X-CSRF-Token'
