import type { CriterionGrade } from '@assay/shared/grades.ts'
import { type ReactNode, useEffect, useRef } from 'react'
import { scrollWithinContainer } from '../../../lib/scroll-within-container.ts'
import classes from './CriterionList.module.css'
import { CriterionRow, PerformanceLevel } from './CriterionRow.tsx'
import { criterionHighlightGroup } from './evidence-highlights.ts'

interface Props {
  criteria: CriterionGrade[]
  /** Set while the teacher changes points. */
  fieldOf?: (criterion: CriterionGrade) => ReactNode
  chosen: string | null
  pointed: string | null
  choose: (group: string) => void
  point: (group: string | null) => void
}

export function CriterionList({ criteria, fieldOf, chosen, pointed, choose, point }: Props) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const row = chosen && list.current?.querySelector('[data-chosen]')
    if (row) scrollWithinContainer(row)
  }, [chosen])
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
              chosen={group === chosen}
              pointed={group === pointed}
              choose={() => choose(group)}
              point={(on) => point(on ? group : null)}
              field={fieldOf?.(criterion)}
              level={criterion.teacher_score === undefined && <PerformanceLevel criterion={criterion} />}
              more={explanationOf(criterion)}
            />
          )
        })}
      </ol>
    </section>
  )
}

/** Why the grader gave so many points, as far as it says so, and how sure it is. */
function explanationOf({ reasoning, confidence, judged_by }: CriterionGrade): string {
  const sure = `Confidence ${Math.round(confidence * 100)} %`
  const by = judged_by === 'rules' ? `${sure}, graded by rules` : sure
  return reasoning ? `${reasoning} ${by}` : by
}
