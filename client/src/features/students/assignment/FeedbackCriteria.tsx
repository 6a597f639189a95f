import { useEffect, useRef } from 'react'
import { Attribution } from '../../../components/display/Attribution.tsx'
import { scrollWithinContainer } from '../../../lib/scroll-within-container.ts'
import list from '../../grades/criteria/CriterionList.module.css'
import { CriterionRow, tagColumn } from '../../grades/criteria/CriterionRow.tsx'
import { criterionHighlightGroup } from '../../grades/criteria/evidence-highlights.ts'
import { beginsQuestion, criterionTags } from '../../grades/grade-labels.ts'
import type { HighlightSelection } from '../../submissions/review/useHighlightSelection.ts'
import { isScoreOverridden } from '../work-status.ts'
import type { GradedAssignment } from './graded-assignment.ts'

interface Props {
  assignment: GradedAssignment
  highlightSelection: HighlightSelection
  select: (group: string) => void
}

/** What each part earned and why; chosen, it shows the words on the paper it rests on. */
export function FeedbackCriteria({ assignment, highlightSelection, select }: Props) {
  const rows = useRef<HTMLOListElement>(null)
  const { selected, hovered, hover } = highlightSelection
  const tags = criterionTags(assignment.criterion_grades)
  useEffect(() => {
    const row = selected && rows.current?.querySelector('[data-chosen]')
    if (row) scrollWithinContainer(row)
  }, [selected])
  return (
    <section>
      <h2 className={list.heading}>Criteria</h2>
      {isScoreOverridden(assignment) && (
        <p>Your instructor set the overall score. The points below are the AI’s suggestion.</p>
      )}
      <ol ref={rows} className={list.list} style={tagColumn(tags)}>
        {assignment.criterion_grades.map(({ feedback, ...criterion }, index) => {
          const group = criterionHighlightGroup(criterion.id)
          return (
            <CriterionRow
              key={criterion.id}
              criterion={{ ...criterion, llm_feedback: feedback }}
              tag={tags[index] ?? ''}
              question={beginsQuestion(assignment.criterion_grades, index) ? criterion.label?.question : undefined}
              selected={group === selected}
              hovered={group === hovered}
              select={() => select(group)}
              hover={(on) => hover(on ? group : null)}
              level={
                criterion.score_by === 'teacher' ? (
                  <Attribution who="teacher">points by your instructor</Attribution>
                ) : (
                  criterion.score === null && assignment.unscored_points > 0 && 'Not graded yet'
                )
              }
            />
          )
        })}
      </ol>
    </section>
  )
}
