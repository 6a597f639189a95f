import type { CriterionGrade, Grade } from '@assay/shared/grades.ts'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { HighlightState } from '../../../components/pdf/PdfHighlights.tsx'
import { scrollWithinContainer } from '../../../lib/scroll-within-container.ts'
import { beginsQuestion, criterionTags, unsureCriteria } from '../grade-labels.ts'
import classes from './CriterionList.module.css'
import { CriterionRow, PerformanceLevel, tagColumn } from './CriterionRow.tsx'
import { criterionHighlightGroup } from './evidence-highlights.ts'

interface Props extends HighlightState {
  grade: Grade
  fieldOf?: (criterion: CriterionGrade, selected: boolean) => ReactNode
  feedbackFieldOf?: (criterion: CriterionGrade, selected: boolean) => ((words: ReactNode) => ReactNode) | undefined
  stateOf?: (criterion: CriterionGrade) => ReactNode
  itemsOf?: ((criterion: CriterionGrade) => ReactNode) | undefined
}

export function CriterionList(props: Props) {
  const { grade, fieldOf, feedbackFieldOf, stateOf, itemsOf, selected, hovered, select, hover } = props
  const criteria = grade.criterion_grades_collection
  const tags = criterionTags(criteria)
  const unsure = useMemo(() => unsureCriteria(grade), [grade])
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const row = selected && list.current?.querySelector('[data-chosen]')
    if (row) scrollWithinContainer(row)
  }, [selected])
  return (
    <section>
      <h3 className={classes.heading}>Criteria</h3>
      <ol ref={list} className={classes.list} style={tagColumn(tags)}>
        {criteria.map((criterion, index) => {
          const group = criterionHighlightGroup(criterion.id)
          return (
            <CriterionRow
              key={criterion.id}
              criterion={criterion}
              tag={tags[index] ?? ''}
              question={beginsQuestion(criteria, index) ? criterion.label?.question : undefined}
              selected={group === selected}
              hovered={group === hovered}
              select={() => select(group)}
              hover={(on) => hover(on ? group : null)}
              field={fieldOf?.(criterion, group === selected)}
              feedbackField={feedbackFieldOf?.(criterion, group === selected)}
              level={
                criterion.teacher_score === undefined && (
                  <PerformanceLevel
                    criterion={criterion}
                    partial={grade.unscored_points > 0}
                    unsure={unsure.has(criterion.id)}
                  />
                )
              }
              state={stateOf?.(criterion)}
              items={itemsOf?.(criterion)}
              details={explanationOf(criterion)}
            />
          )
        })}
      </ol>
    </section>
  )
}

function explanationOf({ score, reasoning, confidence, judged_by }: CriterionGrade): string | undefined {
  if (score === null) return reasoning
  const sure = `Confidence ${Math.round(confidence * 100)} %`
  const by = judged_by === 'rules' ? `${sure}, graded by rules` : sure
  return reasoning ? `${reasoning} ${by}` : by
}
