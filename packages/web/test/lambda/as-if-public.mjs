// Loaded by a function before its code: the host of the clients of a test, which is on this machine, has a public address.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const HOST = 'client.example';
const PUBLIC = '93.184.215.14';

const { lookup } = dns;
dns.lookup = (name, options, done) =>
  name === HOST
    ? setImmediate(done, null, options.all ? [{ address: PUBLIC, family: 4 }] : PUBLIC, 4)
    : lookup(name, options, done);
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function connectTo(...args) {
  const [first] = args.flat();
  const options = first?.host === HOST ? { ...first, host: '127.0.0.1', lookup: undefined } : null;
  // What was asked for is checked before the way there is changed.
  if (options === null) return connect.apply(this, args);
  first.lookup(HOST, { all: true }, (error) => (error ? this.destroy(error) : connect.call(this, options)));
  return this;
};
syncBuiltinESMExports();
