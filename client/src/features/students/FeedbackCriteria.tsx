import { useEffect, useRef } from 'react'
import { SaidBy } from '../../components/SaidBy.tsx'
import { scrollWithin } from '../../lib/scroll-within.ts'
import list from '../grades/CriterionList.module.css'
import { CriterionRow } from '../grades/CriterionRow.tsx'
import { criterionGroup } from '../grades/evidence-marks.ts'
import type { Places } from '../submissions/review/usePlaces.ts'
import type { GradedAssignment } from './FeedbackScreen.tsx'
import { scoreWasSet } from './own-work.ts'

interface Props {
  assignment: GradedAssignment
  places: Places
  choose: (group: string) => void
}

/** What each part earned and why; chosen, it shows the words on the paper it rests on. */
export function FeedbackCriteria({ assignment, places, choose }: Props) {
  const rows = useRef<HTMLOListElement>(null)
  const { chosen, pointed, point } = places
  useEffect(() => {
    const row = chosen && rows.current?.querySelector('[data-chosen]')
    if (row) scrollWithin(row)
  }, [chosen])
  return (
    <section>
      <h2 className={list.heading}>Criteria</h2>
      {scoreWasSet(assignment) && (
        <p>Your instructor set the overall score. The points below are the AI’s suggestion.</p>
      )}
      <ol ref={rows} className={list.list}>
        {assignment.criterion_grades.map(({ feedback, ...criterion }, index) => {
          const group = criterionGroup(criterion.id)
          return (
            <CriterionRow
              key={criterion.id}
              criterion={{ ...criterion, llm_feedback: feedback }}
              number={index + 1}
              chosen={group === chosen}
              pointed={group === pointed}
              choose={() => choose(group)}
              point={(on) => point(on ? group : null)}
              level={
                criterion.score_by === 'teacher' && <SaidBy who="teacher">points by your instructor</SaidBy>
              }
            />
          )
        })}
      </ol>
    </section>
  )
}
