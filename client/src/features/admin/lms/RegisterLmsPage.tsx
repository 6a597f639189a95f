import { lmsGuides, lmsNames } from '@assay/shared/lti/lms-guides.ts'
import { LmsKind } from '@assay/shared/lti/lti.ts'
import { getToolValues } from '@assay/shared/lti/lti-registration.ts'
import { Tabs } from '@mantine/core'
import { useSearchParams } from 'react-router-dom'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { PageHeader } from '../../../components/layout/PageHeader.tsx'
import { RowSkeletons } from '../../../components/layout/PageSkeleton.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import classes from './Lms.module.css'
import { RegisterByLink } from './RegisterByLink.tsx'
import { RegisterByValues } from './RegisterByValues.tsx'

/** Which LMS, then one of two ways. What is chosen is in the address, so that it can be sent to the LMS's administrator. */
export function RegisterLmsPage() {
  const [search, setSearch] = useSearchParams()
  const lms = LmsKind.safeParse(search.get('lms')).data ?? null
  const way = search.get('way') === 'values' ? 'values' : 'link'
  const tool = useGet(getToolValues)
  // At once: a radio whose state waits for a transition is seen to spring back for a moment.
  const choose = (more: Record<string, string>) =>
    setSearch({ ...Object.fromEntries(search), ...more }, { replace: true, preventScrollReset: true, flushSync: true })

  return (
    <Page width="standard">
      <PageHeader
        title="Register an LMS"
        crumbs={[{ label: 'LMS', to: '/admin/lms' }, { label: 'Register' }]}
        subtitle="Register the LMS and Assay with each other once. Teachers can then open Assay from their courses."
      />
      {body()}
    </Page>
  )

  function body() {
    if (tool.data) {
      return (
        <div className={classes.parts}>
          {!tool.data.https && (
            <Notice tone="warn" title={`Assay’s address is ${tool.data.public_url}`}>
              Most LMSs require an address that begins with https://, and browsers block cookies for any other inside an
              LMS. The server operator can change it with PUBLIC_URL.
            </Notice>
          )}
          <fieldset className={classes.choices}>
            <legend>Which LMS?</legend>
            <div>
              {LmsKind.options.map((kind) => (
                <label key={kind} className={classes.choice}>
                  <input
                    type="radio"
                    name="lms"
                    value={kind}
                    checked={lms === kind}
                    onChange={() => choose({ lms: kind })}
                  />
                  {lmsNames[kind]}
                </label>
              ))}
            </div>
          </fieldset>
          {lms && (
            <Tabs value={way} onChange={(next) => choose({ way: next ?? 'link' })} keepMounted={false}>
              <Tabs.List aria-label="How to register it">
                <Tabs.Tab value="link">With a link</Tabs.Tab>
                <Tabs.Tab value="values">Manually</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="link" pt="md">
                <RegisterByLink key={lms} guide={lmsGuides[lms]} />
              </Tabs.Panel>
              <Tabs.Panel value="values" pt="md">
                <RegisterByValues key={lms} lms={lms} tool={tool.data} />
              </Tabs.Panel>
            </Tabs>
          )}
        </div>
      )
    }
    if (tool.error) return <LoadError error={tool.error} retry={tool.reload} />
    return <RowSkeletons count={4} label="Loading" />
  }
}
