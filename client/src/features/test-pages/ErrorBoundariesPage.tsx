import { Link } from 'react-router-dom'
import { Page } from '../../components/layout/Page.tsx'
import { PageHeader } from '../../components/layout/PageHeader.tsx'
import { BoundaryDemo } from './BoundaryDemo.tsx'
import { BoundarySuite } from './BoundarySuite.tsx'
import { FailureButtons } from './FailureButtons.tsx'
import classes from './TestPage.module.css'
import { TestPagesGuard } from './TestPagesGuard.tsx'

/** For developers: every kind of error, as it is shown. */
export function ErrorBoundariesPage() {
  return (
    <TestPagesGuard>
      <Page width="standard">
        <PageHeader
          title="Error Boundaries"
          subtitle={
            <>
              For developers. See also <Link to="/test/websocket">the websocket tester</Link>.
            </>
          }
        />
        <div className={classes.panels}>
          <BoundaryDemo />
          <FailureButtons />
          <BoundarySuite />
        </div>
      </Page>
    </TestPagesGuard>
  )
}
