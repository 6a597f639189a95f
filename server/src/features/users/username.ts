import { randomInt } from 'node:crypto'
import { UserModel } from '../../records/people/user.model.ts'
import { normalizeLogin } from './user.service.ts'

/** Distinct ones: `kim`, `kim2`, `kim3`, `kim4`, `kim48213`. */
export async function findFreeUsernames(wanted: string[]): Promise<string[]> {
  const found: string[] = []
  const taken = new Set<string>()
  let open = wanted.map((_, i) => i)
  for (let attempt = 0; open.length > 0; attempt++) {
    const tail = () => (attempt === 0 ? '' : attempt < 4 ? attempt + 1 : randomInt(1000, 1_000_000))
    const candidates = new Map(open.map((i) => [i, `${wanted[i]}${tail()}`]))
    const keys = [...candidates.values()].map(normalizeLogin)
    const stored = await UserModel.find({ username_key: { $in: keys } }, { username_key: 1 }).lean()
    for (const { username_key } of stored) taken.add(username_key)
    for (const [i, name] of candidates) {
      if (taken.has(normalizeLogin(name))) continue
      taken.add(normalizeLogin(name))
      found[i] = name
    }
    open = open.filter((i) => found[i] === undefined)
  }
  return found
}

/** The local part, in characters a username may have: `ada.m+x@school.example` becomes `ada.m`. */
export function usernameFromEmail(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@')).split('+')[0] ?? ''
  const name = local
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, 50)
  return name.length >= 3 ? name : `${name || 'user'}-student`
}
