import type { QuestionToGrade } from '@assay/shared/questions.ts'
import type { Criterion } from '@assay/shared/rubrics.ts'
import { useMediaQuery } from '@mantine/hooks'
import { MathText } from '../../../components/math/MathText.tsx'
import { formatPoints, plural } from '../../../lib/format.ts'
import classes from './QuestionDetails.module.css'

export function QuestionDetails({ question }: { question: QuestionToGrade['question'] }) {
  const onPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  return (
    <details className={classes.root} open={!onPhone} key={String(onPhone)}>
      <summary>Question and expected answer</summary>
      <p className={classes.prompt}>
        <MathText>{question.prompt}</MathText>
      </p>
      <dl className={classes.list}>
        {question.criteria.map((criterion) => (
          <Expected key={criterion.id} criterion={criterion} several={question.criteria.length > 1} />
        ))}
        {question.notes && (
          <div>
            <dt>Notes to the grader</dt>
            <dd>
              <MathText>{question.notes}</MathText>
            </dd>
          </div>
        )}
      </dl>
    </details>
  )
}

function Expected({ criterion, several }: { criterion: Criterion; several: boolean }) {
  const { text, points, expected, alternatives, levels = [] } = criterion
  return (
    <>
      <div>
        <dt>
          <MathText>
            {several ? `${text}, ${plural(points, 'point')}` : `Expected, ${plural(points, 'point')}`}
          </MathText>
        </dt>
        <dd className={classes.expected}>
          <MathText>{expected || 'The key has no answer.'}</MathText>
        </dd>
      </div>
      {alternatives.length > 0 && (
        <div>
          <dt>Also accepted</dt>
          <dd>
            <ul>
              {alternatives.map((one) => (
                <li key={one}>
                  <MathText>{one}</MathText>
                </li>
              ))}
            </ul>
          </dd>
        </div>
      )}
      {levels.length > 0 && (
        <div>
          <dt>Levels</dt>
          <dd>
            <ul>
              {levels.map((level) => (
                <li key={level.points}>
                  <strong>{formatPoints(level.points)}</strong> <MathText>{level.text}</MathText>
                </li>
              ))}
            </ul>
          </dd>
        </div>
      )}
    </>
  )
}
