/** The frame: brand, steps, and the page that the address names. */
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Home } from './pages/home.js';
import { Waiting } from './parts/pieces.js';
import { addressOf, type Route, useRoute } from './parts/route.js';
import { type RunPlace, useRunPlace } from './parts/runPlace.js';

const Data = lazy(() => import('./pages/data.js').then(({ Data: page }) => ({ default: page })));
const State = lazy(() => import('./pages/problem.js').then(({ State: page }) => ({ default: page })));
const RunPages = lazy(() => import('./pages/runPages.js').then(({ RunPages: page }) => ({ default: page })));
const Compare = lazy(() => import('./pages/compare.js').then(({ Compare: page }) => ({ default: page })));

interface Step {
  readonly title: string;
  readonly path: readonly string[] | null;
  readonly query?: Readonly<Record<string, string>>;
}

/** Steps that lead somewhere from here; the others are named, so that one sees the way. */
function stepsOf({ path: [page = '', id], query }: Route, place: RunPlace | null): Step[] {
  const ask = query.get('ask');
  const run = page === 'run' ? id : undefined;
  const ofPlace = place && place.run === run ? place : null;
  const table = page === 'data' || page === 'problem' ? id : ofPlace?.table;
  const ofRun = (title: string, name?: string): Step => ({
    title,
    path: run === undefined ? null : name === undefined ? ['run', run] : ['run', run, name],
  });
  const asked = ofPlace?.ask ?? ask;
  const carried: Readonly<Record<string, string>> = asked === null ? {} : { ask: asked };
  return [
    { title: 'Data', path: table === undefined ? null : ['data', table], query: carried },
    { title: 'Problem', path: table === undefined ? null : ['problem', table], query: carried },
    ofRun('Run'),
    ofRun('Candidates', 'candidates'),
    ofRun('Profiler', 'profiler'),
    ofRun('Trust', 'trust'),
    ofRun('Rounds', 'rounds'),
  ];
}

export function App() {
  const route = useRoute();
  const place = useRunPlace();
  const [page = '', id, part] = route.path;
  const main = useRef<HTMLElement>(null);
  const steps = useRef<HTMLElement>(null);
  const spot = `${page}/${id}/${part}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page begins at its top, where readers expect it
  useEffect(() => {
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
    // on a phone the steps do not fit beside each other
    const step = steps.current?.querySelector<HTMLElement>('[aria-current]');
    if (step)
      steps.current!.scrollLeft = step.offsetLeft - (steps.current!.clientWidth - step.offsetWidth) / 2;
  }, [spot]);
  const here = addressOf(route.path.slice(0, 3));
  return (
    <>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <header className="bar">
        <a className="brand" href="#/">
          <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
            <rect width="32" height="32" rx="7" className="brand-ground" />
            <path d="M6 23c5 0 6-12 11-12s5 5 9 1" className="brand-line" />
            <circle cx="26" cy="12" r="3.6" className="brand-dot" />
          </svg>
          nemokit <span>studio</span>
        </a>
        <nav aria-label="Steps" ref={steps}>
          <ol>
            {stepsOf(route, place).map(({ title, path, query }) => (
              <li key={title}>
                {path ? (
                  <a
                    href={addressOf(path, query)}
                    aria-current={addressOf(path) === here ? 'page' : undefined}
                  >
                    {title}
                  </a>
                ) : (
                  <span>{title}</span>
                )}
              </li>
            ))}
          </ol>
        </nav>
        <a className="side" href="#/compare" aria-current={page === 'compare' ? 'page' : undefined}>
          Compare
        </a>
      </header>
      <main ref={main} id="main" tabIndex={-1}>
        <Suspense fallback={<Waiting what="Opening" />}>
          {page === '' && <Home />}
          {page === 'data' && id && <Data key={id} table={id} />}
          {page === 'problem' && id && <State key={id} table={id} />}
          {page === 'run' && id && <RunPages key={id} run={id} part={part ?? ''} />}
          {page === 'compare' && <Compare />}
          {!['', 'data', 'problem', 'run', 'compare'].includes(page) && (
            <p>
              There is no such page. <a href="#/">Home</a>
            </p>
          )}
        </Suspense>
      </main>
    </>
  );
}
