import type { LinkableAssignment } from '@assay/shared/lti/lti-deep-linking.ts'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

interface ChosenAssignments {
  /** In the order they were chosen. */
  ids: readonly number[]
  choose: (id: number, on: boolean) => void
}

/** Ids in an address: `3,5`. What is none is left out. */
export const parseIds = (text: string | null): number[] => [
  ...new Set(
    (text ?? '')
      .split(',')
      .filter((id) => /^[1-9]\d{0,14}$/.test(id))
      .map(Number),
  ),
]

/** The address has the choice too, a moment later: it outlasts a reload, and creating one more on another page. */
export function useChosenAssignments(assignments: readonly LinkableAssignment[], several: boolean): ChosenAssignments {
  const [search, setSearch] = useSearchParams()
  const [chosen, setChosen] = useState(() => parseIds(search.get('chosen')))
  const wanted = chosen.join(',')
  const written = search.get('chosen') ?? ''
  useEffect(() => {
    // The page stays where it is scrolled to.
    const quietly = { replace: true, preventScrollReset: true }
    if (wanted !== written) setSearch(wanted ? { chosen: wanted } : {}, quietly)
  }, [wanted, written, setSearch])

  const there = new Set(assignments.map(({ id }) => id))
  const known = chosen.filter((id) => there.has(id))
  return {
    // The one chosen last, where one is all there can be.
    ids: several ? known : known.slice(-1),
    choose: (id, on) =>
      setChosen((before) => {
        const others = several ? before.filter((one) => one !== id) : []
        return on ? [...others, id] : others
      }),
  }
}
