import { getSystemLlm } from '@assay/shared/llm/llm.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { RowSkeletons } from '../../../components/layout/PageSkeleton.tsx'
import panel from '../../../components/layout/Panel.module.css'
import { Panel } from '../../../components/layout/Panel.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { formatDollars } from '../../../lib/format.ts'
import { providerNames } from '../../llm/llm-labels.ts'
import classes from './SettingsPage.module.css'

/** Who suggests the grades. A model has a page of its own; who looks for it among the settings finds the way. */
export function LlmPanel() {
  const model = useGet(getSystemLlm)
  return (
    <div className={classes.storage}>
      <Panel
        title="AI model"
        actions={
          <Button component={Link} to="/admin/settings/model" variant="default">
            Set up the AI model
          </Button>
        }
      >
        {body()}
      </Panel>
    </div>
  )

  function body() {
    const { data, error } = model
    if (data) {
      const { provider, model: name } = data.settings
      if (provider === 'offline')
        return (
          <p className={panel.about}>
            Grades are suggested by <strong>the built-in grader</strong>. It runs on this server. No papers leave it.
          </p>
        )
      const { spent, budget, enforceable } = data.month
      return (
        <p className={panel.about}>
          Grades are suggested by <strong>{name}</strong>
          {provider !== 'openai-compatible' && ` (${providerNames[provider]})`}.{' '}
          {enforceable
            ? `This month it has cost ${formatDollars(spent)}${budget === null ? '' : ` of ${formatDollars(budget)}`}.`
            : 'No prices are set, so the cost is unknown.'}
        </p>
      )
    }
    if (error) return <LoadError error={error} retry={model.reload} />
    return <RowSkeletons count={1} label="Loading the AI model" />
  }
}
