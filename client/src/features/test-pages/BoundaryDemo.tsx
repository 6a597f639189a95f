import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { Panel } from '../../components/layout/Panel.tsx'
import type { RetryStrategy } from '../../errors/retry-policy.ts'
import { BoundaryByType } from './BoundaryByType.tsx'
import { FailingComponent } from './FailingComponent.tsx'
import { type BoundaryType, boundaryTypes, type ErrorType, errorTypes } from './failures.ts'
import classes from './TestPage.module.css'

const strategies: RetryStrategy[] = ['manual', 'exponential', 'immediate']

/** The entry of a list with this name. */
function chosen<T extends string>(list: readonly T[], name: string): T | undefined {
  return list.find((one) => one === name)
}

/** Makes a component fail inside the chosen boundary. */
export function BoundaryDemo() {
  const [type, setType] = useState<ErrorType>('render')
  const [boundary, setBoundary] = useState<BoundaryType>('component')
  const [strategy, setStrategy] = useState<RetryStrategy>('manual')
  const [round, setRound] = useState(0)
  return (
    <Panel title="Demo">
      <div className={classes.form}>
        <NativeSelect
          label="Error type"
          data={[...errorTypes]}
          value={type}
          onChange={(event) => setType(chosen(errorTypes, event.currentTarget.value) ?? type)}
        />
        <NativeSelect
          label="Boundary type"
          data={[...boundaryTypes]}
          value={boundary}
          onChange={(event) => setBoundary(chosen(boundaryTypes, event.currentTarget.value) ?? boundary)}
        />
        <NativeSelect
          label="Retry strategy"
          data={strategies}
          value={strategy}
          onChange={(event) => setStrategy(chosen(strategies, event.currentTarget.value) ?? strategy)}
        />
        <Button size="sm" onClick={() => setRound(round + 1)}>
          Break it
        </Button>
        <Button size="sm" variant="default" disabled={round === 0} onClick={() => setRound(0)}>
          Reset
        </Button>
      </div>
      <div className={classes.stage}>
        {round === 0 ? (
          <p className={classes.dim}>No error yet.</p>
        ) : (
          <BoundaryByType key={`${round} ${type} ${boundary} ${strategy}`} type={boundary} strategy={strategy}>
            <FailingComponent type={type} />
          </BoundaryByType>
        )}
      </div>
    </Panel>
  )
}
