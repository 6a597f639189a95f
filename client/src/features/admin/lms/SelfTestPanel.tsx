import type { Platform } from '@assay/shared/lti/lti-platforms.ts'
import {
  getSelfTest,
  type SelfTest,
  type SelfTestCheck,
  selfTestNames,
  selfTestTitles,
  startSelfTest,
} from '@assay/shared/lti/lti-self-test.ts'
import { Progress } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconFlag } from '@tabler/icons-react'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { ErrorNotice } from '../../../components/feedback/Notice.tsx'
import { LoadError, Panel, PanelList } from '../../../components/layout/Page.tsx'
import { useGet, useSend } from '../../../lib/api/api-hooks.ts'
import { formatDateTime } from '../../../lib/format.ts'
import classes from './Lms.module.css'
import { checkStatusLabels } from './lms-messages.ts'

const POLL_MS = 700

export function SelfTestPanel({ platform }: { platform: Platform }) {
  const params = { platformId: platform.id }
  const test = useGet(getSelfTest, params, undefined, {
    refreshIntervalMs: (data) => (data?.self_test?.state === 'running' ? POLL_MS : 0),
  })
  const running = test.data?.self_test?.state === 'running'
  const start = useSend(startSelfTest)

  async function run() {
    const self_test = await start.attempt({ params })
    if (self_test) test.patch(() => ({ self_test }))
  }
  return (
    <Panel
      title="Self-test"
      actions={
        <SecondaryButton loading={start.sending || running} onClick={() => void run()}>
          Run the self-test
        </SecondaryButton>
      }
    >
      <ErrorNotice error={start.error} fallback="The self-test could not be started. Please try again." />
      {body()}
    </Panel>
  )

  function body() {
    if (test.data?.self_test) return <Results test={test.data.self_test} />
    if (test.error) return <LoadError error={test.error} retry={test.reload} />
    return (
      <p className={classes.about}>
        Checks both sides, from addresses and keys to recent launches, and tells you what to fix.
      </p>
    )
  }
}

function Results({ test }: { test: SelfTest }) {
  const { checks, state, finished_at } = test
  const next = selfTestNames[checks.length]
  const wrong = checks.filter((check) => check.state === 'wrong').length
  const odd = checks.filter((check) => check.state === 'warn').length
  return (
    <>
      <div className={classes.progress} role="status">
        {state === 'running' ? (
          <>
            <span>Checking: {next ? selfTestTitles[next] : 'remaining checks'}</span>
            <Progress
              value={(checks.length / selfTestNames.length) * 100}
              aria-label={`${checks.length} of ${selfTestNames.length} checked`}
            />
          </>
        ) : (
          <span className="hint">
            {summarize(wrong, odd)} {finished_at && `Checked ${formatDateTime(finished_at)}.`}
          </span>
        )}
      </div>
      {checks.length > 0 && (
        <PanelList label="Checks">
          {checks.map((check) => (
            <CheckRow key={check.name} check={check} />
          ))}
        </PanelList>
      )}
    </>
  )
}

function summarize(wrong: number, odd: number): string {
  if (wrong > 0) return wrong === 1 ? 'One check failed.' : `${wrong} checks failed.`
  if (odd > 0) return odd === 1 ? 'No checks failed; one needs attention.' : `No checks failed; ${odd} need attention.`
  return 'All checks passed.'
}

const icons = { ok: IconCircleCheck, warn: IconFlag, wrong: IconAlertTriangle }
const iconLabels = { ok: 'OK:', warn: 'Needs attention:', wrong: 'Failed:' }

function CheckRow({ check }: { check: SelfTestCheck }) {
  const { status, label } = checkStatusLabels[check.state]
  return (
    <li className={classes.check}>
      <div className={classes.words}>
        <span className={classes.title}>{selfTestTitles[check.name]}</span>
        <span>{check.message}</span>
        {check.fix && <span className={classes.fix}>How to fix it: {check.fix}</span>}
        {check.parts.length > 0 && (
          <ul className={classes.checkParts}>
            {check.parts.map((part) => {
              const Icon = icons[part.state]
              return (
                <li key={`${part.at} ${part.message}`} data-state={part.state}>
                  <Icon size={15} role="img" aria-label={iconLabels[part.state]} />
                  <span>
                    {part.at && `${formatDateTime(part.at)}: `}
                    {part.message}
                  </span>
                </li>
              )
            })}
          </ul>
        )}
      </div>
      <span className={classes.mark}>
        <StatusBadge status={status}>{label}</StatusBadge>
      </span>
    </li>
  )
}
