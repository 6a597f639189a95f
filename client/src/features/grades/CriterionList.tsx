import type { CriterionGrade } from '@assay/shared/grades.ts'
import { useEffect, useRef } from 'react'
import { scrollWithin } from '../../lib/scroll-within.ts'
import classes from './CriterionList.module.css'
import { CriterionRow, Level } from './CriterionRow.tsx'
import { criterionGroup } from './evidence-marks.ts'

interface Props {
  criteria: CriterionGrade[]
  chosen: string | null
  pointed: string | null
  choose: (group: string) => void
  point: (group: string | null) => void
}

export function CriterionList({ criteria, chosen, pointed, choose, point }: Props) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const row = chosen && list.current?.querySelector('[data-chosen]')
    if (row) scrollWithin(row)
  }, [chosen])
  return (
    <section>
      <h3 className={classes.heading}>Criteria</h3>
      <ol ref={list} className={classes.list}>
        {criteria.map((criterion, index) => {
          const group = criterionGroup(criterion.id)
          return (
            <CriterionRow
              key={criterion.id}
              criterion={criterion}
              number={index + 1}
              chosen={group === chosen}
              pointed={group === pointed}
              choose={() => choose(group)}
              point={(on) => point(on ? group : null)}
              level={<Level criterion={criterion} />}
              more={`Confidence ${Math.round(criterion.confidence * 100)} %`}
            />
          )
        })}
      </ol>
    </section>
  )
}
