import type { LinkableAssignment } from '@assay/shared/lti/lti-deep-linking.ts'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

export const createAssignmentPath = (courseId: number, chosen: readonly number[]) =>
  `/create-assignment?${new URLSearchParams({
    courseId: String(courseId),
    for: 'choice',
    ...(chosen.length > 0 ? { chosen: chosen.join(',') } : {}),
  })}`

export function choicePath(chosen: readonly string[], created?: number): string {
  const search = new URLSearchParams({
    ...(chosen.length > 0 ? { chosen: chosen.join(',') } : {}),
    ...(created === undefined ? {} : { created: String(created) }),
  })
  return search.size > 0 ? `/lti/choose?${search}` : '/lti/choose'
}

export const parseIds = (text: string | null): number[] => [
  ...new Set(
    (text ?? '')
      .split(',')
      .filter((id) => /^[1-9]\d{0,14}$/.test(id))
      .map(Number),
  ),
]

/** Also in the address, which outlasts a reload and creating an assignment on another page. */
export function useChosenAssignments(assignments: readonly LinkableAssignment[], several: boolean) {
  const [search, setSearch] = useSearchParams()
  const [chosen, setChosen] = useState(() => parseIds(search.get('chosen')))
  const wanted = chosen.join(',')
  const written = search.get('chosen') ?? ''
  useEffect(() => {
    const quietly = { replace: true, preventScrollReset: true }
    if (wanted !== written) setSearch(wanted ? { chosen: wanted } : {}, quietly)
  }, [wanted, written, setSearch])
  const there = new Set(assignments.map(({ id }) => id))
  const known = chosen.filter((id) => there.has(id))
  return {
    ids: several ? known : known.slice(-1),
    choose: (id: number, on: boolean) =>
      setChosen((before) => {
        const others = several ? before.filter((one) => one !== id) : []
        return on ? [...others, id] : others
      }),
  }
}
