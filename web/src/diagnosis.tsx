import { useState } from 'preact/hooks';
import { diagnose } from './api';
import type { ClusterView, Diagnosis, Finding, Verdict } from './api';
import { useAsking } from './asking';
import { age } from './format';
import { apiUrl } from './http';
import { Mark } from './mark';
import type { Mood } from './reading';
import { t } from './text';

const moods: Record<Verdict, Mood> = { OK: 'done', WARNING: 'retrying', PROBLEM: 'stuck', UNKNOWN: 'pending' };

/** What is wrong around the cluster, when somebody asks. */
export function Diagnose({ cluster, now }: { cluster: ClusterView; now: number }) {
  const { namespace, name } = cluster;
  const { asked, ask } = useAsking();
  const [diagnosis, setDiagnosis] = useState<Diagnosis>();
  const file = `${apiUrl('clusters', namespace, name, 'diagnosis')}?download=true`;

  function take(): void {
    void ask(async () => {
      setDiagnosis(await diagnose(namespace, name));
      return '';
    });
  }

  return (
    <section aria-labelledby="diagnosis">
      <h2 id="diagnosis">{t('diagnosis.title')}</h2>
      <div class="row">
        <button type="button" class="plain" disabled={asked.state === 'asking'} onClick={take}>
          {t(diagnosis === undefined ? 'diagnosis.take' : 'diagnosis.again')}
        </button>
        <span class="quiet" role="status">
          {asked.state === 'asking' ? t('diagnosis.taking') : null}
          {asked.state === 'idle' ? t('diagnosis.hint') : null}
          {asked.state === 'refused' ? t('diagnosis.failed', { why: asked.text }) : null}
          {asked.state === 'done' && diagnosis !== undefined
            ? t('diagnosis.taken', { age: age(diagnosis.takenAt, now) })
            : null}
        </span>
        {diagnosis === undefined ? null : <a href={file}>{t('diagnosis.download')}</a>}
      </div>
      {diagnosis === undefined ? null : <Findings diagnosis={diagnosis} />}
    </section>
  );
}

function Findings({ diagnosis }: { diagnosis: Diagnosis }) {
  const { signature, findings } = diagnosis;
  const well = findings.filter((one) => one.verdict === 'OK');
  return (
    <div class="findings">
      <p>
        <Mark mood={moods[diagnosis.verdict]} text={t(`verdict.${diagnosis.verdict}`)} />
      </p>
      {signature == null ? null : (
        <p class="standing standing-stuck">
          <strong>{signature.name}</strong> {signature.advice}
        </p>
      )}
      <FindingList findings={findings.filter((one) => one.verdict !== 'OK')} />
      {well.length === 0 ? null : (
        <details>
          <summary>{t('diagnosis.well', { n: well.length })}</summary>
          <FindingList findings={well} />
        </details>
      )}
    </div>
  );
}

function FindingList({ findings }: { findings: Finding[] }) {
  return (
    <ul class="plain-list">
      {findings.map((one, index) => (
        <li key={`${one.step} ${one.object} ${index}`} class="finding">
          <Mark mood={moods[one.verdict]} text={t(`verdict.${one.verdict}`)} />
          <div>
            <p>
              <strong>{one.title}</strong> <code>{one.object}</code> {one.code == null ? null : <span>({one.code})</span>}
            </p>
            <p>{one.sentence}</p>
            {one.details.length === 0 ? null : <pre>{one.details.join('\n')}</pre>}
          </div>
        </li>
      ))}
    </ul>
  );
}
