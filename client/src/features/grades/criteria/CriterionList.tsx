import type { CriterionGrade } from '@assay/shared/grades.ts'
import { type ReactNode, useEffect, useRef } from 'react'
import { scrollWithinContainer } from '../../../lib/scroll-within-container.ts'
import classes from './CriterionList.module.css'
import { CriterionRow, PerformanceLevel } from './CriterionRow.tsx'
import { criterionHighlightGroup } from './evidence-highlights.ts'

interface Props {
  criteria: CriterionGrade[]
  /** Some are still to be graded by hand. */
  partial: boolean
  /** Set while the teacher changes points. */
  fieldOf?: (criterion: CriterionGrade) => ReactNode
  selected: string | null
  hovered: string | null
  select: (group: string) => void
  hover: (group: string | null) => void
}

export function CriterionList({ criteria, partial, fieldOf, selected, hovered, select, hover }: Props) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const row = selected && list.current?.querySelector('[data-chosen]')
    if (row) scrollWithinContainer(row)
  }, [selected])
  return (
    <section>
      <h3 className={classes.heading}>Criteria</h3>
      <ol ref={list} className={classes.list}>
        {criteria.map((criterion, index) => {
          const group = criterionHighlightGroup(criterion.id)
          return (
            <CriterionRow
              key={criterion.id}
              criterion={criterion}
              number={index + 1}
              selected={group === selected}
              hovered={group === hovered}
              select={() => select(group)}
              hover={(on) => hover(on ? group : null)}
              field={fieldOf?.(criterion)}
              level={
                criterion.teacher_score === undefined && <PerformanceLevel criterion={criterion} partial={partial} />
              }
              details={explanationOf(criterion)}
            />
          )
        })}
      </ol>
    </section>
  )
}

/** Why the grader gave so many points, or none, as far as it says so, and how sure it is. */
function explanationOf({ score, reasoning, confidence, judged_by }: CriterionGrade): string | undefined {
  if (score === null) return reasoning
  const sure = `Confidence ${Math.round(confidence * 100)} %`
  const by = judged_by === 'rules' ? `${sure}, graded by rules` : sure
  return reasoning ? `${reasoning} ${by}` : by
}
