import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { BoundaryByType } from './BoundaryByType.tsx'
import { FailingComponent } from './FailingComponent.tsx'
import { type BoundaryType, boundaryTypes, type ErrorType, errorTypes, expectedTitle } from './failures.ts'
import classes from './TestPage.module.css'

const cases = boundaryTypes.flatMap((boundary) => errorTypes.map((type) => ({ boundary, type })))
const nameOf = ({ boundary, type }: { boundary: BoundaryType; type: ErrorType }) => `${type} in ${boundary}`

/** How long a boundary may take to show what it caught. */
const LIMIT_MS = 5000

/** Makes a component fail in every way inside every boundary, and checks what is shown. */
export function BoundarySuite() {
  const [round, setRound] = useState(0)
  const [results, setResults] = useState<Record<string, boolean>>({})
  const done = Object.values(results)
  const passed = done.filter(Boolean).length
  return (
    <Panel
      title="Test suite"
      actions={
        <Button
          variant="default"
          onClick={() => {
            setResults({})
            setRound(round + 1)
          }}
        >
          Run all {cases.length}
        </Button>
      }
    >
      <p role="status">
        {round === 0 && 'Not run yet.'}
        {round > 0 && `${passed} of ${cases.length} passed, ${done.length - passed} failed.`}
      </p>
      {round > 0 && (
        <ul className={classes.results}>
          {cases.map((one) => (
            <li key={`${round} ${nameOf(one)}`}>
              <Case {...one} tell={(good) => setResults((before) => ({ ...before, [nameOf(one)]: good }))} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

interface CaseProps {
  boundary: BoundaryType
  type: ErrorType
  tell: (passed: boolean) => void
}

function Case({ boundary, type, tell }: CaseProps) {
  const stage = useRef<HTMLDivElement>(null)
  const latest = useRef(tell)
  const [passed, setPassed] = useState<boolean | null>(null)
  useEffect(() => {
    const end = (good: boolean) => {
      looking.disconnect()
      clearTimeout(timer)
      setPassed(good)
      latest.current(good)
    }
    const look = () => {
      const shown = stage.current?.querySelector('[role="alert"] h2')?.textContent
      if (shown !== undefined && shown !== null) end(shown === expectedTitle(boundary, type))
    }
    const looking = new MutationObserver(look)
    const timer = setTimeout(() => end(false), LIMIT_MS)
    if (stage.current) looking.observe(stage.current, { childList: true, subtree: true })
    look()
    return () => {
      looking.disconnect()
      clearTimeout(timer)
    }
  }, [boundary, type])
  return (
    <>
      <span>{nameOf({ boundary, type })}</span>
      {passed === null && <StatusBadge status="pending">Running</StatusBadge>}
      {passed === true && <StatusBadge status="graded">Passed</StatusBadge>}
      {passed === false && <StatusBadge status="failed">Failed</StatusBadge>}
      {/* Hidden, so that a screen reader does not read 36 alerts. */}
      <div ref={stage} hidden>
        <BoundaryByType type={boundary}>
          <FailingComponent type={type} />
        </BoundaryByType>
      </div>
    </>
  )
}
