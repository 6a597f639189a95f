import { type Profile, type ProfileChanges, updateStudentProfile } from '@assay/shared/profile.ts'

/** What the form of basic information holds. */
export interface BasicValues {
  username: string
  email: string
  full_name: string
  institution: string
}

export const basicFields = ['username', 'email', 'full_name', 'institution'] as const

export function basicValuesOf(profile: Profile): BasicValues {
  const { username, email, full_name, institution } = profile
  return { username, email, full_name: full_name ?? '', institution: institution ?? '' }
}

/** Only what differs; spaces around make no difference. */
export function profileChanges(profile: Profile, values: BasicValues): ProfileChanges {
  const kept = basicValuesOf(profile)
  return Object.fromEntries(
    basicFields.flatMap((field) => {
      const value = values[field].trim()
      return value === kept[field] ? [] : [[field, value]]
    }),
  )
}

/** What is wrong with what was changed, by field; an address from elsewhere that was not touched may stay. */
export function basicProblems(profile: Profile, values: BasicValues): Partial<Record<keyof BasicValues, string>> {
  const problems: Partial<Record<keyof BasicValues, string>> = {}
  const parsed = updateStudentProfile.body?.safeParse(profileChanges(profile, values))
  for (const issue of parsed?.error?.issues ?? []) {
    const field = basicFields.find((name) => name === issue.path[0])
    if (field) problems[field] ??= issue.message
  }
  return problems
}
