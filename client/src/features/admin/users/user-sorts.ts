/** The orders a list of accounts can have, and the request parameters of each. */
export const userSorts = {
  newest: { label: 'Newest first', query: { sort: 'created_at', direction: 'desc' } },
  name: { label: 'Username', query: { sort: 'username', direction: 'asc' } },
  email: { label: 'Email address', query: { sort: 'email', direction: 'asc' } },
  seen: { label: 'Last seen', query: { sort: 'last_seen_at', direction: 'desc' } },
  role: { label: 'Role', query: { sort: 'role', direction: 'asc' } },
} as const

export type UserSort = keyof typeof userSorts
