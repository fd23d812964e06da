"""Places where manuals put a password, collected without looking at the rules (see `held_out_formats`).

Recall at first sight: 0.77 of the first collection; 0.71 of the second (0.54 with the rules before); 0.30 of the third, which has only places that the
table did not have.
"""

from random import Random
from typing import NamedTuple


class HeldOutContext(NamedTuple):
    """A line from a manual with `¤` where the secret is."""

    line: str
    documented: str


_WORDS = ("sakura", "walnut", "harbor", "meadow", "copper", "lantern", "velvet", "orchid", "falcon", "juniper")


def password(random: Random) -> str:
    """Return a password of a kind that people choose: words with a number, mixed characters, or hexadecimal."""
    first, second = random.sample(_WORDS, 2)
    kind = random.randrange(4)
    if kind == 0:
        return f"{first.title()}{second.title()}{random.randrange(10, 100)}"
    if kind == 1:
        return f"{first.title()}-{random.randrange(1000, 10000)}"
    if kind == 2:
        return "".join(random.choice("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789") for _ in range(14)) + "7k"
    return f"{second}{random.randrange(100, 1000)}.{first[:3]}X"


def _contexts(text: str) -> list[HeldOutContext]:
    rows = []
    for line in text.strip("\n").splitlines():
        if line.strip():
            shown, documented = line.rsplit(" ## ", 1)
            rows.append(HeldOutContext(shown.replace("\\n", "\n"), documented))
    return rows


FIRST = _contexts(
    r"""
mysql -u francis -p¤ db_name ## mysql(1)
mysqldump --user=backup --password=¤ shop > shop.sql ## mysqldump(1)
mysqladmin -u root password '¤' ## mysqladmin(1)
sshpass -p '¤' ssh deploy@10.0.0.5 uptime ## sshpass(1)
sshpass -p¤ scp a.txt host: ## sshpass(1)
SSHPASS=¤ sshpass -e ssh host ## sshpass(1)
curl -u alice:¤ https://example.com/ ## everything.curl.dev/cmdline/passwords
curl --user 'alice:¤' https://example.com/ ## curl(1)
curl -x http://proxy:3128 --proxy-user bob:¤ https://example.com ## curl(1)
curl --oauth2-bearer ¤ https://example.com/ ## curl(1)
wget --user=bob --password=¤ https://example.com/a ## wget(1)
wget --http-password=¤ --http-user=bob https://example.com/a ## wget(1)
ldapsearch -x -D cn=admin,dc=example,dc=com -w ¤ -b dc=example,dc=com ## ldapsearch(1)
ldappasswd -s ¤ uid=bob,dc=example,dc=com ## ldappasswd(1)
smbclient //server/share -U bob%¤ ## smbclient(1)
mount -t cifs //server/share /mnt -o username=bob,password=¤ ## mount.cifs(8)
htpasswd -b .htpasswd bob ¤ ## htpasswd(1)
htpasswd -bnBC 10 "" ¤ ## htpasswd(1)
7z a -p¤ backup.7z notes/ ## 7-zip.org manual
unzip -P ¤ archive.zip ## unzip(1)
rar a -hp¤ backup.rar notes/ ## rar.txt
gpg --batch --passphrase ¤ -c file.txt ## gpg(1)
openssl rsa -in key.pem -passin pass:¤ -out plain.pem ## openssl-passphrase-options(1)
openssl enc -aes-256-cbc -pbkdf2 -pass pass:¤ -in a -out b ## openssl-enc(1)
openssl pkcs12 -export -passout pass:¤ -in c.pem -out c.p12 ## openssl-pkcs12(1)
keytool -genkey -alias app -keystore k.jks -storepass ¤ ## keytool(1)
keytool -importkeystore -srckeystore a.p12 -srcstorepass ¤ ## keytool(1)
jarsigner -keystore k.jks -keypass ¤ app.jar app ## jarsigner(1)
redis-cli -h cache -a ¤ ping ## redis.io/docs/latest/develop/tools/cli
mongosh --host db -u admin -p ¤ --authenticationDatabase admin ## mongodb.com/docs/mongodb-shell/reference/options
mongodump --uri="mongodb://admin:¤@db:27017/shop" ## mongodb.com/docs/database-tools/mongodump
PGPASSWORD=¤ psql -h db -U app shop ## postgresql.org/docs/current/libpq-envars.html
psql "host=db user=app password=¤ dbname=shop" ## postgresql.org/docs/current/libpq-connect.html
psql postgresql://app:¤@db:5432/shop ## postgresql.org/docs/current/libpq-connect.html
ALTER USER app WITH PASSWORD '¤'; ## postgresql.org/docs/current/sql-alteruser.html
CREATE USER 'app'@'localhost' IDENTIFIED BY '¤'; ## dev.mysql.com/doc/refman/8.4/en/create-user.html
sqlcmd -S db -U sa -P ¤ -Q "select 1" ## learn.microsoft.com/sql/tools/sqlcmd
sqlplus scott/¤@//db:1521/orcl ## docs.oracle.com SQL*Plus
bcp shop.dbo.t out t.dat -S db -U sa -P ¤ ## learn.microsoft.com/sql/tools/bcp-utility
az login --service-principal -u http://app -p ¤ --tenant t ## learn.microsoft.com/cli/azure
docker login -u bob -p ¤ registry.example.com ## docs.docker.com/reference/cli/docker/login
echo '¤' | docker login -u bob --password-stdin registry.example.com ## docs.docker.com/reference/cli/docker/login
helm registry login example.com --username bob --password ¤ ## helm.sh/docs/helm/helm_registry_login
kubectl create secret generic db --from-literal=password=¤ ## kubernetes.io/docs/reference/kubectl
kubectl config set-credentials admin --token=¤ ## kubernetes.io/docs/reference/kubectl
oc login https://api:6443 -u dev -p ¤ ## docs.openshift.com cli
aws configure set aws_secret_access_key ¤ ## docs.aws.amazon.com/cli/latest/reference/configure/set.html
npm config set //registry.npmjs.org/:_authToken ¤ ## docs.npmjs.com/cli/v10/configuring-npm/npmrc
git clone https://bob:¤@git.example.com/a.git ## git-scm.com/docs/gitcredentials
git remote set-url origin https://oauth2:¤@gitlab.example.com/a.git ## docs.gitlab.com
xfreerdp /v:host /u:bob /p:¤ ## xfreerdp(1)
rdesktop -u bob -p ¤ host ## rdesktop(1)
echo 'bob:¤' | sudo chpasswd ## chpasswd(8)
echo '¤' | passwd --stdin bob ## passwd(1)
echo "¤" | sudo -S apt-get update ## sudo(8)
nmcli device wifi connect Home password ¤ ## nmcli(1)
wpa_passphrase Home ¤ ## wpa_passphrase(8)
snmpwalk -v3 -u bob -l authPriv -A ¤ -X ¤ host ## snmpcmd(1)
ipmitool -I lanplus -H bmc -U admin -P ¤ power status ## ipmitool(1)
twine upload -u bob -p ¤ dist/* ## twine.readthedocs.io
cargo login ¤ ## doc.rust-lang.org/cargo/commands/cargo-login.html
heroku config:set SESSION_KEY=¤ ## devcenter.heroku.com/articles/config-vars
gh secret set DEPLOY_KEY --body "¤" ## cli.github.com/manual/gh_secret_set
vault kv put secret/app password=¤ ## developer.hashicorp.com/vault/docs/commands/kv/put
vault login ¤ ## developer.hashicorp.com/vault/docs/commands/login
consul kv get -token=¤ app/config ## developer.hashicorp.com/consul/commands
influx -username admin -password ¤ ## docs.influxdata.com
rabbitmqctl add_user bob ¤ ## rabbitmqctl(8)
rabbitmqctl change_password bob ¤ ## rabbitmqctl(8)
svn checkout --username bob --password ¤ https://svn.example.com/a ## svnbook
expect -c 'spawn ssh host; expect "assword:"; send "¤\r"' ## expect(1)
net use Z: \\server\share ¤ /user:bob ## learn.microsoft.com/windows-server/administration
net user bob ¤ /add ## learn.microsoft.com/windows-server/administration
$p = ConvertTo-SecureString "¤" -AsPlainText -Force ## learn.microsoft.com/powershell
schtasks /create /tn a /tr b /ru bob /rp ¤ ## learn.microsoft.com/windows-server/administration
machine api.example.com login bob password ¤ ## gnu.org inetutils netrc
db.example.com:5432:shop:app:¤ ## postgresql.org/docs/current/libpq-pgpass.html
[client]\nuser=app\npassword=¤\n ## dev.mysql.com/doc/refman/8.4/en/option-files.html
//registry.npmjs.org/:_authToken=¤ ## docs.npmjs.com/cli/v10/configuring-npm/npmrc
[pypi]\nusername = bob\npassword = ¤\n ## packaging.python.org/specifications/pypirc
<server><id>nexus</id><username>bob</username><password>¤</password></server> ## maven.apache.org/settings.html
<add key="ClearTextPassword" value="¤" /> ## learn.microsoft.com/nuget/reference/nuget-config-file
<add name="Shop" connectionString="Server=db;Database=shop;User Id=app;Password=¤;" /> ## learn.microsoft.com/dotnet
Server=db;Uid=app;Pwd=¤; ## dev.mysql.com/doc/connector-net
jdbc:sqlserver://db:1433;databaseName=shop;user=app;password=¤; ## learn.microsoft.com/sql/connect/jdbc
jdbc:postgresql://db/shop?user=app&password=¤&ssl=true ## jdbc.postgresql.org/documentation/use
jdbc:oracle:thin:app/¤@db:1521:orcl ## docs.oracle.com JDBC
spring.datasource.password=¤ ## docs.spring.io/spring-boot
SECRET_KEY = '¤' ## docs.djangoproject.com/en/5.1/ref/settings
define( 'DB_PASSWORD', '¤' ); ## developer.wordpress.org/apis/wp-config-php
define('AUTH_KEY', '¤'); ## developer.wordpress.org/apis/wp-config-php
$config['db']['password'] = '¤'; ## php.net
ansible_become_password: ¤ ## docs.ansible.com/ansible/latest/inventory_guide
chpasswd: {list: "root:¤"} ## cloudinit.readthedocs.io
users:\n- name: admin\n  user:\n    token: ¤\n ## kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig
environment:\n  - MYSQL_ROOT_PASSWORD=¤\n ## hub.docker.com/_/mysql
ENV POSTGRES_PASSWORD ¤ ## docs.docker.com/reference/dockerfile
requirepass ¤ ## redis.io/docs/latest/operate/oss_and_stack/management/security
otpauth://totp/Example:bob?secret=JBSWY3DPEHPK3PXP¤&issuer=Example ## github.com/google/google-authenticator/wiki/Key-Uri-Format
amqp://bob:¤@mq:5672/vhost ## rabbitmq.com/docs/uri-spec
redis://:¤@cache:6379/0 ## redis.io/docs/latest/develop/tools/cli
smtp_sasl_password_maps: [smtp.example.com]:587 bob:¤ ## postfix.org/SASL_README.html
Authorization: Bearer ¤ ## rfc 6750
Proxy-Authorization: Basic ¤ ## rfc 9110
X-Api-Key: ¤ ## swagger.io/docs/specification/authentication/api-keys
X-Auth-Token: ¤ ## docs.openstack.org/api-ref/identity
Set-Cookie: sessionid=¤; HttpOnly; Path=/ ## rfc 6265
https://api.example.com/v1/items?access_token=¤&page=2 ## rfc 6750
https://maps.example.com/api?key=¤&lat=1 ## developers.google.com/maps
{"username": "bob", "password": "¤"} ## json
{"client_secret":"¤","grant_type":"client_credentials"} ## rfc 6749
password: "¤" ## yaml.org
api_key = "¤" ## toml.io
session.headers["X-Api-Key"] = "¤" ## requests.readthedocs.io
requests.get(url, auth=("bob", "¤")) ## requests.readthedocs.io
client = connect(host="db", user="app", password="¤") ## docs.python.org
new Client({ user: 'app', password: '¤' }) ## node-postgres.com
smtp.login("bob@example.com", "¤") ## docs.python.org/3/library/smtplib.html
os.environ["DB_PASSWORD"] = "¤" ## docs.python.org/3/library/os.html
process.env.JWT_SECRET = '¤' ## nodejs.org/api/process.html
jwt.sign(payload, '¤') ## github.com/auth0/node-jsonwebtoken
パスワードは ¤ です ## a sentence
パスワード：¤ ## a form
暗証番号: ¤ ## a form
APIキー「¤」を使ってください ## a sentence
the password is ¤ ## a sentence
my token is ¤, please use it ## a sentence
login with user bob and password ¤ ## a sentence
Enter password for bob: ¤ ## a terminal
"""
)

SECOND = _contexts(
    r"""
psexec \\10.0.94.120 -u Administrator -p ¤ CMD /C ECHO ## learn.microsoft.com/sysinternals
sender.Credentials = new NetworkCredential("bob@example.com", "¤"); ## learn.microsoft.com/dotnet
new DirectoryEntry("LDAP://EXAMPLE.COM", "ADMIN@EXAMPLE.COM", "¤"); ## learn.microsoft.com/dotnet
<add key="FromEmailPassword" value="¤"/> ## learn.microsoft.com/dotnet
echo "The password is '¤'" ## prose
The default password for the user "pyne-user" is "¤". ## prose
Ensure the password for user 'postgres' is '¤' or change .env file. ## prose
$mail->Password   = '¤';  // SMTP password ## github.com/PHPMailer/PHPMailer
user = abuser  # some comment\npassword = ¤ ## ini
Provider=SQLNCLI;Server=db;Database=shop;Uid=app;Pwd=¤; ## connectionstrings.com
:password       => '¤', ## ruby
buildConfigField 'String' , 'API_KEY' , '"¤"' ## developer.android.com
"AdminPassword" : "¤" ## json
private const string DevPfxPassword = "¤"; ## c#
Ldap password               ----   ¤ ## notes
adoConn.Open("User ID=specialbill; " & "Password =¤;Initial Catalog=a") ## vb
common.then_log_in({username: 'geronimo', password: '¤'}); ## js
driver={SQL Server};server=db;uid=app;pwd=¤ ## odbc
export ADMIN_PASS="¤" ## shell
mosquitto_sub -h mq -u bob -P ¤ -t a ## mosquitto_sub(1)
pscp -pw ¤ a.txt bob@host: ## putty
ftp://bob:¤@files.example.com/a ## rfc 1738
lftp -u bob,¤ sftp://files.example.com ## lftp(1)
conan remote login conan-local bob -p ¤ ## docs.conan.io
poetry config http-basic.private bob ¤ ## python-poetry.org
composer config http-basic.repo.example.com bob ¤ ## getcomposer.org
bundle config set --global gems.example.com bob:¤ ## bundler.io
dotnet nuget add source https://a --username bob --password ¤ ## learn.microsoft.com/nuget
- name: DB_PASSWORD\n  value: "¤"\n ## kubernetes.io
{"name": "DB_PASSWORD", "value": "¤"} ## docs.aws.amazon.com/ecs
etcdctl --user root:¤ get a ## etcd.io
snmpget -v2c -c ¤ host sysUpTime.0 ## snmpget(1)
ansible all -m ping -e "ansible_ssh_pass=¤" ## docs.ansible.com
az sql server create -u admin --admin-password ¤ ## learn.microsoft.com/cli/azure
gcloud sql users set-password root --password=¤ ## cloud.google.com/sdk
wp core install --admin_user=bob --admin_password=¤ ## wp-cli.org
drush user:password bob "¤" ## drush.org
flask: app.secret_key = "¤" ## flask.palletsprojects.com
http -a bob:¤ https://a.example/api ## httpie.io
rclone config create remote ftp host=a user=b pass=¤ ## rclone.org
nats sub -s nats://bob:¤@mq a ## docs.nats.io
kcat -b kafka -X sasl.username=bob -X sasl.password=¤ -L ## kcat(1)
sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="bob" password="¤"; ## kafka.apache.org
トークン: ¤ ## form
パスワードを「¤」に変更しました ## sentence
新しいパスワードは¤です。 ## sentence
ログインID: bob / パスワード: ¤ ## form
"""
)

# Ordinary lines with the same words and options, which stay as they are.

THIRD = _contexts(
    r"""
kubectl create secret generic db --from-literal=password=¤ ## kubernetes.io/docs
kubectl create secret generic db --from-literal=pg='¤' ## kubernetes.io/docs
printf '¤' | docker secret create db_pw - ## docs.docker.com/reference/cli/docker/secret/create
echo ¤ | podman secret create db_pw - ## podman-secret-create(1)
aws secretsmanager create-secret --name db --secret-string '¤' ## docs.aws.amazon.com/cli
aws ssm put-parameter --name /db/pw --type SecureString --value '¤' ## docs.aws.amazon.com/cli
echo -n '¤' | gcloud secrets versions add db --data-file=- ## cloud.google.com/secret-manager/docs
echo ¤ | wrangler secret put API ## developers.cloudflare.com/workers
echo ¤ | gh secret set DEPLOY ## cli.github.com/manual
printf ¤ | secret-tool store --label=x service y ## secret-tool(1)
ansible-vault encrypt_string '¤' --name db_pw ## docs.ansible.com
kadmin.local -q 'addprinc -pw ¤ alice' ## kadmin(1)
kadmin -p admin -w ¤ -q listprincs ## kadmin(1)
jq -n --arg password '¤' '{a:$password}' ## jq(1)
keyring.set_password('svc', 'alice', '¤') ## github.com/jaraco/keyring
crypto.createHmac('sha256', '¤').update(body) ## nodejs.org/api/crypto.html
hmac.new(b'¤', msg, hashlib.sha256) ## docs.python.org/3/library/hmac.html
return new PasswordAuthentication("alice", "¤".toCharArray()); ## docs.oracle.com/javase
keyStore.load(stream, "¤".toCharArray()); ## docs.oracle.com/javase
sql.Open("mysql", "app:¤@tcp(10.0.0.5:3306)/shop") ## github.com/go-sql-driver/mysql
smtp.PlainAuth("", "app@example.com", "¤", "mail.example.com") ## pkg.go.dev/net/smtp
request.basic_auth 'alice', '¤' ## ruby-doc.org/stdlib/libdoc/net/http
username admin privilege 15 password 7 ¤ ## cisco.com
crypto isakmp key ¤ address 10.0.0.1 ## cisco.com
snmp-server community ¤ RO ## cisco.com
    Key Content            : ¤ ## learn.microsoft.com/windows-server/netsh
echo '¤' | passwd deploy ## passwd(1)
mkpasswd -m sha-512 '¤' ## mkpasswd(1)
caddy hash-password --plaintext '¤' ## caddyserver.com/docs
skopeo copy --src-creds alice:¤ docker://r.example.com/a oci:b ## skopeo(1)
podman pull --creds alice:¤ r.example.com/a ## podman-pull(1)
echo '¤' | openconnect --passwd-on-stdin vpn.example.com ## openconnect(8)
rclone obscure '¤' ## rclone.org/commands
beeline -u jdbc:hive2://h:10000 -n alice -p '¤' ## hive.apache.org
tsql -S srv -U sa -P '¤' ## tsql(1)
db2 connect to SHOP user alice using '¤' ## ibm.com/docs/db2
127.0.0.1:6379> AUTH ¤ ## redis.io/commands/auth
SET PASSWORD FOR 'alice'@'%' = '¤'; ## dev.mysql.com/doc
SET PASSWORD FOR 'alice'@'%' = PASSWORD('¤'); ## mariadb.com/kb
PRAGMA key = '¤'; ## zetetic.net/sqlcipher
SELECT pgp_sym_decrypt(card, '¤') FROM orders; ## postgresql.org/docs/current/pgcrypto.html
a1 LOGIN alice@example.com ¤ ## RFC 9051
secretsdump.py CORP/alice:'¤'@10.0.0.5 ## github.com/fortra/impacket
User.objects.create_user("alice", "a@example.com", "¤") ## docs.djangoproject.com
app.use(cookieParser("¤")) ## expressjs.com
ssh.connect('10.0.0.5', 22, 'alice', '¤') ## docs.paramiko.org
"""
)

ORDINARY = [
    line
    for line in r"""
docker run -p 8080:80 --name web nginx:1.27
mkdir -p build/output && cp -p a.txt build/
ssh -p 2222 deploy@10.0.0.5 uptime
nmap -p 1-1024 10.0.0.5
git log -p --stat -- src/app.py
psql -p 5432 -h db -U app shop
redis-cli -a "$REDIS_PASSWORD" ping
mysql -u root -p shop
mysqldump --password --user=root shop
docker login -u bob --password-stdin registry.example.com < token.txt
curl -u "$USER:$TOKEN" https://example.com/
curl -H "Authorization: Bearer ${TOKEN}" https://api.example.com
export PGPASSWORD=$(pass show db)
password = os.environ["DB_PASSWORD"]
const token = process.env.API_TOKEN;
password: ${{ secrets.DEPLOY_PASSWORD }}
password: {{ vault_db_password }}
SECRET_KEY = config("SECRET_KEY")
def reset_password(user: User, token: str) -> None:
raise ValueError("password must have at least 8 characters")
The password is stored as a hash and never in plain text.
パスワードは8文字以上にしてください
パスワードを忘れた場合は再設定のリンクを押してください
トークンの有効期限は30分です
max_tokens: 4096
total_tokens=18234 prompt_tokens=17002
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
keyword: "database connection pooling"
primary_key=True, foreign_key="users.id"
"keyboard": "us-international", "monkey": "banana"
commit 5f2b6c1d9e8a7b3c4d5e6f708192a3b4c5d6e7f8
index 83db48f..bf2a1c3 100644
"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="
sha256:9b2a28eb47540823042a2ba401386845089bb7b62a9637d55816132c4c3c36eb
image: nginx@sha256:4c0fdaa8b6341bfdeca5f18f7837462c80cff90527ee35ef185571e1c327beac
h1:Wq5wCk9hTzKl0hQrXy1Z3PHhBfRNYxKu2Yw9mI9sQpE=
id: 3f2504e0-4f89-41d3-9a0c-0305e82c3301
ETag: "33a64df551425fcc55e4d42a148795d9f25f89d4"
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl bob@host
-----BEGIN CERTIFICATE-----
<input type="password" name="password" autocomplete="current-password">
git config credential.helper store
npm ERR! code E401 Unable to authenticate, need: Bearer authorization_uri
assert response.status_code == 401, "missing token"
https://example.com/reset?lang=ja&page=2
https://github.com/example/project/blob/5f2b6c1d9e8a7b3c4d5e6f708192a3b4c5d6e7f8/README.md
s3://bucket/2024/11/03/report-00001-of-00032.parquet
Sentence about pa-ris, sk-iing, re_adme, key-board and fc-barcelona-2024-season-highlights
react-router-dom@6.26.2 resolved https://registry.npmjs.org/react-router-dom/-/react-router-dom-6.26.2.tgz
ghp_ is the prefix of a classic token and sk_live_ the prefix of a live key
pk_field = models.AutoField(primary_key=True)
rgba(12, 34, 56, 0.8) #deadbeef 0xdeadbeefcafebabe
2026-11-23T02:10:11.123456Z level=info request_id=01J9Z3K4M5N6P7Q8R9S0T1V2W3
E   AssertionError: assert 'token' in {'detail': 'Not found'}
kubectl get secret db -o jsonpath='{.data.password}'
kubectl create secret generic db --from-file=password=./password.txt
openssl enc -aes-256-cbc -pass env:BACKUP_PASS -in a -out b
gpg --passphrase-file pass.txt -c file.txt
openssl rand -hex 32
ssh-keygen -t ed25519 -C bob@example.com -f id_ed25519
vault kv get -field=password secret/app
Authorization: Bearer <token>
password=<your password>
DB_PASSWORD=changeme
postgres://user:password@localhost:5432/db
echo hello | sudo tee /etc/motd
zip -r backup.zip notes/
unzip -p archive.zip a.txt
echo checking | getent passwd
cut -d: -f1 /etc/passwd
echo done | gh secret list
jq --arg token_count 4096 '.n = $token_count'
client.connect("mqtt.example.com", 1883, "10.0.0.12")
connect to postgres user app using psql
User.objects.create_user("alice7", "alice7@example.com")
Choose a password 8 characters long, and a key 7 positions further
snmp-server community public RO
1 login page and 12 login attempts
PASS src/user.test.ts
"integrity": "sha512-skDtAepYwKLXFiQNnnpkfTTUn7ibxFDEmHspPveSE6lfibVNNtUrygXksDFOa1b2c3d4e5f6g7h8i9j0kA=="
GET /callback?code=418&state=open
hmac.new(key, message, hashlib.sha256).hexdigest()
pre-shared-key authentication is disabled
kubectl create configmap app --from-literal=mode=production
""".strip().splitlines()
    if line
]
