import { beforeEach, describe, expect, it } from 'vitest';
import { Console, Status, admin } from './testing';

describe('creating a cluster', () => {
  const page = new Console();
  let refused: Status | undefined;

  beforeEach(() => {
    refused = undefined;
  });

  const classes = [
    {
      namespace: 'default',
      name: 'metal',
      workers: ['rack'],
      variables: [
        { name: 'size', required: true, schema: { type: 'string', enum: ['small', 'large'] } },
        { name: 'racks', required: false, schema: { type: 'integer' } },
      ],
    },
  ];

  function opened() {
    return page.open('#/create', ({ method, path, body }) => {
      if (path === 'namespaces') return { items: [{ name: 'default' }, { name: 'edge' }] };
      if (path === 'cluster-classes') return { items: classes };
      return method === 'POST' ? (refused ?? body) : undefined;
    });
  }

  async function filled(): Promise<void> {
    await opened();
    await page.type('Name (needed)', 'prod');
    await page.type('Kubernetes version', 'v1.36.3');
    await page.select('ClusterClass', 'default/metal');
  }

  const checks = () => page.changes.filter(({ path }) => path === 'clusters?dryRun=true');
  const yaml = () => page.control('textarea').value;

  it('asks the server when somebody has stopped typing, and not before there is something to check', async () => {
    await opened();
    await page.type('Name (needed)', 'prod');
    await page.wait(600);
    expect(checks()).toHaveLength(0);
    await page.type('Kubernetes version', 'v1.36');
    await page.wait(300);
    await page.type('Kubernetes version', 'v1.36.3');
    await page.wait(400);
    expect(checks()).toHaveLength(0);
    await page.wait(200);
    expect(checks()).toHaveLength(1);
    expect(page.text).toContain('The server would create this');
  });

  it('shows what is wrong at its field', async () => {
    refused = new Status(422, {
      code: 'Invalid',
      errors: [
        { field: 'spec.version', message: 'version must be like v1.36.3', remedy: 'Write it like v1.36.3' },
        { field: 'spec.workItems[0].name', message: 'is not unique' },
      ],
    });
    await filled();
    await page.wait(600);
    const version = page.one('input[name="spec.version"]');
    expect(version.getAttribute('aria-invalid')).toBe('true');
    expect(version.closest('.field')?.textContent).toContain('version must be like v1.36.3. Write it like v1.36.3.');
    expect(page.one('.create-form .notice').textContent).toContain('spec.workItems[0].name is not unique.');
    expect(page.text).toContain('Things to mend: 2');
  });

  it('offers the variables of the class, as their schemas want them', async () => {
    await filled();
    await page.select('size', 'large');
    await page.type('racks', '3');
    await page.click('Add workers');
    await page.wait(600);
    expect(checks()[0]?.body).toEqual({
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'WorkloadCluster',
      metadata: { name: 'prod', namespace: 'default' },
      spec: {
        version: 'v1.36.3',
        topology: {
          class: 'metal',
          variables: [
            { name: 'size', value: 'large' },
            { name: 'racks', value: 3 },
          ],
          workers: [{ class: 'rack', name: 'md-0', replicas: 1 }],
        },
      },
    });
  });

  it('shows the same as YAML, and takes what is written there, also what the form does not have', async () => {
    await filled();
    await page.type('Addresses of pods', '192.168.0.0/16, fd00:1::/48');
    expect(yaml()).toContain('cidrBlocks:\n        - 192.168.0.0/16\n        - fd00:1::/48');
    await page.type('The same as YAML', `${yaml()}  workers:\n    minimumReadyPercent: 80\n`);
    await page.type('Name (needed)', 'other');
    expect(yaml()).toContain('minimumReadyPercent: 80');
    expect(yaml()).toContain('name: other');
  });

  it('says that the YAML is none, and sends nothing', async () => {
    await filled();
    await page.type('The same as YAML', 'a: [');
    await page.click('Create', '.create-state');
    expect(page.text).toContain('This is not YAML');
    expect(page.changes.filter(({ path }) => path === 'clusters')).toEqual([]);
  });

  it('goes to the page of the new cluster', async () => {
    await filled();
    await page.click('Create', '.create-state');
    expect(page.headers['Idempotency-Key']).toMatch(/^[0-9a-f]{32}$/);
    expect(location.hash).toBe('#/clusters/default/prod');
  });

  it('says why it was not created, and lets the form stay', async () => {
    await filled();
    refused = new Status(409, { code: 'ClusterExists', detail: 'There is a cluster default/prod already' });
    await page.click('Create', '.create-state');
    expect(page.one('.create-state [role=alert]').textContent).toBe('Not created: There is a cluster default/prod already.');
    expect(page.control('input[name="metadata.name"]').value).toBe('prod');
  });

  it('may be from manifests in a ConfigMap', async () => {
    await filled();
    await page.click('From manifests');
    await page.type('ConfigMap', 'edge-template');
    expect(yaml()).toContain('templateRef:\n    name: edge-template');
    expect(yaml()).not.toContain('topology');
  });

  it('is not for everybody', async () => {
    page.session = { ...admin, actions: ['READ'] };
    await filled();
    await page.wait(600);
    await page.click('Create', '.create-state');
    expect(page.changes).toEqual([]);
    expect(page.text).toContain('needs the role operator');
  });
});
