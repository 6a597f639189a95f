import type { Profile, ProfileChanges } from '@assay/shared/profile.ts'

const basicFields = ['username', 'email', 'full_name', 'institution'] as const

export function basicValuesOf({ username, email, full_name, institution }: Profile) {
  return { username, email, full_name: full_name ?? '', institution: institution ?? '' }
}

/** Only what differs; spaces around make no difference. An address from elsewhere that was not touched may stay. */
export function profileChanges(profile: Profile, values: ReturnType<typeof basicValuesOf>): ProfileChanges {
  const stored = basicValuesOf(profile)
  return Object.fromEntries(
    basicFields.flatMap((field) => {
      const value = values[field].trim()
      return value === stored[field] ? [] : [[field, value]]
    }),
  )
}
