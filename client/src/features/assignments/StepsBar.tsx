import { AiIcon, TeacherIcon } from '../../components/display/Attribution.tsx'
import classes from './StepsBar.module.css'
import type { Step, StepName } from './steps.ts'

export function StepsBar({ steps, next }: { steps: Step[]; next: StepName | null }) {
  return (
    <ol className={classes.root} aria-label="Steps">
      {steps.map(({ name, count, by, done }) => (
        <li key={name} data-done={done || undefined} aria-current={name === next ? 'step' : undefined}>
          <strong>{name}</strong>
          <span>
            {by === 'ai' ? <AiIcon size={12} /> : <TeacherIcon size={12} />}
            <span className="visually-hidden">{by === 'ai' ? 'By the grader: ' : 'By teachers: '}</span>
            {count}
          </span>
        </li>
      ))}
    </ol>
  )
}
