import type { LlmBudgetMonth, LlmTotals } from '@assay/shared/llm/llm.ts'
import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Stats } from '../../components/display/Stats.tsx'
import { CardSkeletons, Loaded, Panel, PanelList } from '../../components/layout/Page.tsx'
import panel from '../../components/layout/Panel.module.css'
import type { QueryResult } from '../../lib/api/api-hooks.ts'
import { formatCount } from '../../lib/format.ts'
import classes from './Llm.module.css'
import { budgetNote, costText, monthLabel, purposeLabels, usageText } from './llm-labels.ts'

interface UsageData {
  month: string
  total: LlmTotals
  by_purpose: (LlmTotals & { purpose: string })[]
  months: { month: string }[]
}

interface UsageRow extends LlmTotals {
  key: string
  name: ReactNode
}

type UsageSource = LlmTotals & { id: number | null; name: string | null }

/** `none`: what belongs to none of them. */
export function usageRows(
  sources: UsageSource[],
  noun: string,
  none: string,
  path: (id: number) => string,
): UsageRow[] {
  const label = ({ id, name }: UsageSource) => {
    if (id === null) return none
    return name === null ? `${noun} ${id} (deleted)` : <Link to={path(id)}>{name}</Link>
  }
  return sources.map((source) => ({ ...source, key: String(source.id), name: label(source) }))
}

interface Props<T extends UsageData> {
  usage: QueryResult<T>
  month: string | null
  choose: (month: string) => void
  budget: LlmBudgetMonth | null
  rows: (usage: T) => { title: string; rows: UsageRow[] }[]
}

export function LlmUsage<T extends UsageData>({ usage, month, choose, budget, rows }: Props<T>) {
  const { data } = usage
  const months = data ? [...new Set([data.month, ...data.months.map((one) => one.month)])].sort().reverse() : []
  return (
    <Panel
      title="Usage"
      actions={
        months.length > 1 && (
          <NativeSelect
            aria-label="Month"
            value={month ?? data?.month}
            data={months.map((value) => ({ value, label: monthLabel(value) }))}
            onChange={(event) => choose(event.currentTarget.value)}
          />
        )
      }
    >
      <Loaded query={usage} skeleton={<CardSkeletons count={3} height={92} label="Loading usage" />}>
        {(data) => (
          <UsageDetails usage={data} budget={budget?.month === data.month ? budget : null} parts={rows(data)} />
        )}
      </Loaded>
    </Panel>
  )
}

interface DetailsProps {
  usage: UsageData
  budget: LlmBudgetMonth | null
  parts: { title: string; rows: UsageRow[] }[]
}

function UsageDetails({ usage: { month, total, by_purpose }, budget, parts }: DetailsProps) {
  const note = budget && budgetNote(budget, total)
  if (total.calls === 0) return <p className={panel.about}>No AI model was used in {monthLabel(month)}.</p>
  return (
    <div className={classes.parts}>
      <Stats
        label={`Usage in ${monthLabel(month)}`}
        stats={[
          { label: `Spent in ${monthLabel(month)}`, value: costText(total), note: note ?? undefined },
          {
            label: 'Requests',
            value: formatCount(total.calls),
            note: total.failures === 0 ? 'all answered' : `${formatCount(total.failures)} without an answer`,
          },
          {
            label: 'Tokens',
            value: formatCount(total.input_tokens + total.output_tokens),
            note: `${formatCount(total.output_tokens)} output tokens`,
          },
        ]}
      />
      {parts.map((part) => (
        <UsageRows key={part.title} {...part} />
      ))}
      <UsageRows
        title="By purpose"
        rows={by_purpose.map(({ purpose, ...sums }) => ({
          ...sums,
          key: purpose,
          name: purposeLabels[purpose] ?? purpose,
        }))}
      />
    </div>
  )
}

function UsageRows({ title, rows }: { title: string; rows: UsageRow[] }) {
  if (rows.length === 0) return null
  return (
    <div>
      <h3 className={classes.subtitle}>{title}</h3>
      <PanelList label={title}>
        {rows.map(({ key, name, ...sums }) => (
          <li key={key} className={classes.row}>
            <div className={classes.words}>
              <span className={classes.title}>{name}</span>
              <span className="dim">{usageText(sums)}</span>
            </div>
            <span className={classes.cost}>{costText(sums)}</span>
          </li>
        ))}
      </PanelList>
    </div>
  )
}
